import FeedCore

/// A reply that precedes its parent in an imported file. It is stored as an ordinary status until the parent is known.
struct PendingReply: Sendable {
    let id: Int64
    let visibility: Visibility
    /// The parent's number in the file.
    let target: Int
    let line: Int

    func link(to target: Int64, of account: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE status SET in_reply_to_id = ?, in_reply_to_account_id = ? WHERE id = ?")
            .execute(arguments: [target, account, id])
    }

    /// Merges the conversation that begins with this reply into the parent's.
    func join(_ target: Int64, in db: Database) throws {
        let conversation = try db.conversation(of: target)
        for column in ["id", "conversation_id"] {
            try db.cachedStatement(sql: "UPDATE status SET conversation_id = ? WHERE \(column) = ?")
                .execute(arguments: [conversation, id])
        }
    }
}
