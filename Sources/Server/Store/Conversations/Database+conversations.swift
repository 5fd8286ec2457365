import FeedCore

// A direct status belongs to a conversation of its author and of each account it mentions or has once mentioned.
extension Database {
    /// Adds a new or edited direct status to the conversations of its participants, and shows hidden ones again. Only
    /// accounts that did not take part before have something new to read after an edit.
    func addToConversations(_ status: Int64) throws {
        try addParticipants(of: status)
        try execute(
            """
            INSERT INTO conversation (account_id, conversation_id, id, last_status_id, is_unread)
            SELECT c.account_id, c.conversation_id, c.status_id, c.status_id,
                CASE WHEN c.account_id = s.account_id THEN 0 ELSE 1 END
            FROM conversation_status c CROSS JOIN status s ON s.id = c.status_id WHERE c.status_id = \(status)
            ON CONFLICT (account_id, conversation_id) DO UPDATE SET last_status_id = excluded.last_status_id,
                is_unread = excluded.is_unread, is_hidden = 0
            WHERE conversation.last_status_id < excluded.last_status_id
            """)
    }

    private func addParticipants(of status: Int64) throws {
        try execute(
            """
            INSERT INTO conversation_status (account_id, conversation_id, status_id)
            SELECT p.account_id, coalesce(s.conversation_id, s.id), s.id
            FROM (SELECT account_id FROM mention WHERE status_id = \(status)
                UNION SELECT account_id FROM status WHERE id = \(status)) p CROSS JOIN status s ON s.id = \(status)
            WHERE s.visibility = 3
            ON CONFLICT DO NOTHING
            """)
    }

    /// Makes conversations end with the newest of their other statuses, in the transaction that deletes some.
    /// - Parameters:
    ///   - statuses: The statuses that are about to be deleted.
    ///   - limit: The maximum number of conversations.
    /// - Returns: The number of conversations.
    @discardableResult
    func removeFromConversations(_ statuses: [Int64], limit: Int = .max) throws -> Int {
        let ended = try fetchAll(
            """
            SELECT account_id, conversation_id FROM conversation WHERE last_status_id IN (\(ids: statuses))
            ORDER BY account_id, conversation_id LIMIT \(limit)
            """)
        for row in ended { try shorten(conversation: row[1], of: row[0], without: statuses) }
        return ended.count
    }

    private func shorten(conversation: Int64, of account: Int64, without statuses: [Int64]) throws {
        let newest = try fetchOne(
            """
            SELECT c.status_id FROM conversation_status c CROSS JOIN status s ON s.id = c.status_id
            WHERE c.account_id = \(account) AND c.conversation_id = \(conversation)
            AND c.status_id NOT IN (\(ids: statuses)) AND \(StatusVisibility.published("s"))
            ORDER BY c.status_id DESC LIMIT 1
            """, as: Int64.self)
        guard let newest else {
            return try execute(
                "DELETE FROM conversation WHERE account_id = \(account) AND conversation_id = \(conversation)")
        }
        try execute(
            """
            UPDATE conversation SET last_status_id = \(newest) WHERE account_id = \(account)
            AND conversation_id = \(conversation)
            """)
    }
}

extension Database {
    /// Adds a direct status of an unfinished import to conversations that nobody sees until the import is published.
    /// - Returns: Whether it also belongs to a conversation that is visible now, to which ``addImported(_:)`` adds it.
    func stageConversations(of status: Int64) throws -> Bool {
        try addParticipants(of: status)
        let isStaged = """
            EXISTS (SELECT 1 FROM status l WHERE l.id = conversation.last_status_id
                AND l.import_id IN (SELECT id FROM staged_import))
            """
        try addImported(status, where: isStaged)
        let query: SQL = """
            SELECT 1 FROM conversation_status c CROSS JOIN conversation k
                ON k.account_id = c.account_id AND k.conversation_id = c.conversation_id
            WHERE c.status_id = \(status) AND k.last_status_id < c.status_id LIMIT 1
            """
        return try fetchOne(query, as: Int.self) != nil
    }

    /// Adds an imported direct status to conversations; it counts as read.
    /// - Parameter condition: A condition that selects the existing conversations to change.
    func addImported(_ status: Int64, where condition: String = "1 = 1") throws {
        try execute(
            """
            INSERT INTO conversation (account_id, conversation_id, id, last_status_id)
            SELECT account_id, conversation_id, status_id, status_id FROM conversation_status
            WHERE status_id = \(status)
            ON CONFLICT (account_id, conversation_id) DO UPDATE SET last_status_id = excluded.last_status_id,
                is_hidden = 0
            WHERE conversation.last_status_id < excluded.last_status_id AND \(sql: condition)
            """)
    }
}

extension Database {
    /// Whether an account mutes the conversation of a status.
    func mutesConversation(_ account: Int64, of status: Int64) throws -> Bool {
        let query: SQL = """
            SELECT 1 FROM conversation_mute WHERE account_id = \(account)
            AND conversation_id = (SELECT coalesce(conversation_id, id) FROM status WHERE id = \(status))
            """
        return try fetchOne(query, as: Int.self) != nil
    }

    /// Whether an account muted the conversation through this status.
    func hasMutedConversation(_ account: Int64, by status: Int64) throws -> Bool {
        let query: SQL = """
            SELECT 1 FROM conversation_mute WHERE account_id = \(account) AND status_id = \(status)
            AND conversation_id = (SELECT coalesce(conversation_id, id) FROM status WHERE id = \(status))
            """
        return try fetchOne(query, as: Int.self) != nil
    }

    /// - Returns: Whether anything observable changed.
    func setConversationMute(_ isSet: Bool, of account: Int64, by status: Int64) throws -> Bool {
        let conversation = try conversation(of: status)
        guard isSet else {
            try execute(
                "DELETE FROM conversation_mute WHERE account_id = \(account) AND conversation_id = \(conversation)")
            return try changesCount > 0
        }
        let isNew = try !mutesConversation(account, of: status)
        // Muting again moves the mute to the latest status, the one the account has seen last and will unmute.
        try execute(
            """
            INSERT INTO conversation_mute (account_id, conversation_id, status_id)
            VALUES (\(account), \(conversation), \(status))
            ON CONFLICT (account_id, conversation_id) DO UPDATE SET status_id = excluded.status_id
            """)
        return isNew
    }

    /// The id of the first status of a conversation, which may have been deleted.
    func conversation(of status: Int64) throws -> Int64 {
        let query: SQL = "SELECT coalesce(conversation_id, id) FROM status WHERE id = \(status)"
        return try fetchOne(query, as: Int64.self) ?? status
    }

    /// Deletes the mutes of a conversation once it has no statuses.
    func endConversation(_ id: Int64) throws {
        try execute(
            """
            DELETE FROM conversation_mute WHERE conversation_id = \(id)
            AND NOT EXISTS (SELECT 1 FROM status WHERE id = \(id))
            AND NOT EXISTS (SELECT 1 FROM status WHERE conversation_id = \(id))
            """)
    }
}
