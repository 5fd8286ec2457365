import FeedCore

extension Database {
    /// Whether an account mutes the conversation of a status.
    func mutesConversation(_ account: Int64, of status: Int64) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                SELECT 1 FROM conversation_mute WHERE account_id = ?
                AND conversation_id = (SELECT coalesce(conversation_id, id) FROM status WHERE id = ?)
                """)
        return try Int.fetchOne(statement, arguments: [account, status]) != nil
    }

    /// Whether an account muted the conversation through this status.
    func hasMutedConversation(_ account: Int64, by status: Int64) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                SELECT 1 FROM conversation_mute WHERE account_id = ? AND status_id = ?2
                AND conversation_id = (SELECT coalesce(conversation_id, id) FROM status WHERE id = ?2)
                """)
        return try Int.fetchOne(statement, arguments: [account, status]) != nil
    }

    /// - Returns: Whether anything observable changed.
    func setConversationMute(_ isSet: Bool, of account: Int64, by status: Int64) throws -> Bool {
        let key: SQLArguments = [account, try conversation(of: status)]
        guard isSet else {
            try cachedStatement(sql: "DELETE FROM conversation_mute WHERE account_id = ? AND conversation_id = ?")
                .execute(arguments: key)
            return changesCount > 0
        }
        let isNew = try !mutesConversation(account, of: status)
        // Muting again moves the mute to the latest status, the one the account has seen last and will unmute.
        let sql = """
            INSERT INTO conversation_mute (account_id, conversation_id, status_id) VALUES (?, ?, ?)
            ON CONFLICT (account_id, conversation_id) DO UPDATE SET status_id = excluded.status_id
            """
        try cachedStatement(sql: sql).execute(arguments: key + [status])
        return isNew
    }

    /// The id of the first status of a conversation, which may have been deleted.
    func conversation(of status: Int64) throws -> Int64 {
        let statement = try cachedStatement(sql: "SELECT coalesce(conversation_id, id) FROM status WHERE id = ?")
        return try Int64.fetchOne(statement, arguments: [status]) ?? status
    }

    /// Deletes the mutes of a conversation once it has no statuses.
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
