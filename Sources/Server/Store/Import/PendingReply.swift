import FeedCore
import GRDB

/// A reply that stands before its target in an import's file. Until the target is known it is stored as no reply at all.
struct PendingReply: Sendable {
    let id: Int64
    let visibility: Visibility
    /// The target's number in the file.
    let target: Int
    let line: Int

    func link(to target: Int64, of account: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE status SET in_reply_to_id = ?, in_reply_to_account_id = ? WHERE id = ?")
            .execute(arguments: [target, account, id])
    }

    /// Makes what was taken for a conversation of its own a part of the target's.
    func join(_ target: Int64, in db: Database) throws {
        let conversation = try db.conversation(of: target)
        for column in ["id", "conversation_id"] {
            try db.cachedStatement(sql: "UPDATE status SET conversation_id = ? WHERE \(column) = ?")
                .execute(arguments: [conversation, id])
        }
    }
}
