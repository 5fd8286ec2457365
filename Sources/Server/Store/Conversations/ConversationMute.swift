import FeedCore
import GRDB

extension Database {
    /// Whether an account mutes the conversation a status stands in.
    func mutesConversation(_ account: Int64, of status: Int64) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                SELECT 1 FROM conversation_mute WHERE account_id = ?
                AND conversation_id = (SELECT ifnull(conversation_id, id) FROM status WHERE id = ?)
                """)
        return try Int.fetchOne(statement, arguments: [account, status]) != nil
    }

    /// Whether it was this status by which an account muted its conversation.
    func hasMutedConversation(_ account: Int64, by status: Int64) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                SELECT 1 FROM conversation_mute WHERE account_id = ? AND status_id = ?2
                AND conversation_id = (SELECT ifnull(conversation_id, id) FROM status WHERE id = ?2)
                """)
        return try Int.fetchOne(statement, arguments: [account, status]) != nil
    }

    /// - Returns: Whether anything changed that somebody observes.
    func setConversationMute(_ isSet: Bool, of account: Int64, by status: Int64) throws -> Bool {
        let key: StatementArguments = [account, try conversation(of: status)]
        guard isSet else {
            try cachedStatement(sql: "DELETE FROM conversation_mute WHERE account_id = ? AND conversation_id = ?")
                .execute(arguments: key)
            return changesCount > 0
        }
        let isNew = try !mutesConversation(account, of: status)
        // By the newest it can be undone: that one the account has seen last.
        let sql = """
            INSERT INTO conversation_mute (account_id, conversation_id, status_id) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET status_id = excluded.status_id
            """
        try cachedStatement(sql: sql).execute(arguments: key + [status])
        return isNew
    }

    /// The first status of the conversation a status stands in; it may be gone.
    func conversation(of status: Int64) throws -> Int64 {
        let statement = try cachedStatement(sql: "SELECT ifnull(conversation_id, id) FROM status WHERE id = ?")
        return try Int64.fetchOne(statement, arguments: [status]) ?? status
    }

    /// Forgets who mutes a conversation of which nothing is left.
    func endConversation(_ id: Int64) throws {
        let statement = try cachedStatement(
            sql: """
                DELETE FROM conversation_mute WHERE conversation_id = ?1
                AND NOT EXISTS (SELECT 1 FROM status WHERE id = ?1)
                AND NOT EXISTS (SELECT 1 FROM status WHERE conversation_id = ?1)
                """)
        try statement.execute(arguments: [id])
    }
}
