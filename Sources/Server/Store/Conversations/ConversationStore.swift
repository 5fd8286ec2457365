package import FeedCore

/// Stores in the database which threads of direct statuses an account takes part in.
package struct ConversationStore: Sendable {
    /// The number of accounts read per query.
    private static let batch = 100

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The conversations of an account, paged by the id of their newest status. Omits conversations that
    /// the account has hidden, and those whose newest status it cannot see.
    package func conversations(of account: Int64, page: Pagination) async throws -> Page<Conversation> {
        let statuses = try await TimelineStore(database).timeline(.conversations(of: account), page: page, for: account)
        let shown = try await conversations(endingWith: statuses.entries, of: account)
        var conversationPage = Page(
            entries: shown, newest: statuses.newest, oldest: statuses.oldest, hasOlder: statuses.hasOlder)
        conversationPage.endsEarly = statuses.endsEarly
        return conversationPage
    }

    /// The conversation of an account that ends with a status.
    /// - Returns: `nil` if it does not exist, the account has hidden it, or the account may not see the status.
    package func conversation(endingWith status: Int64, of account: Int64) async throws -> Conversation? {
        let condition: SQL = """
            \(StatusVisibility.listCondition(viewer: account, now: database.clock.now())) AND EXISTS (
                SELECT 1 FROM conversation c WHERE c.account_id = \(account) AND c.last_status_id = e.id
                AND c.is_hidden = 0)
            """
        let lastStatus = try await database.read { db in
            try StatusStore.find(db, ids: [status], for: account, where: condition)[status]
        }
        return try await conversations(endingWith: [lastStatus].compactMap(\.self), of: account).first
    }

    /// Marks a conversation as read.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such conversation.
    package func markRead(_ id: Int64, of account: Int64) async throws -> Conversation {
        let now = database.clock.now()
        let status = try await database.commits.write { db in
            let last = try Self.last(of: id, account, in: db)
            try db.execute(
                "UPDATE conversation SET is_unread = 0 WHERE account_id = \(account) AND id = \(id) AND is_unread = 1")
            if try db.changesCount > 0 { try db.log(.conversationRead, subject: last, account: account, at: now) }
            let condition = StatusVisibility.listCondition(viewer: account, now: now)
            return try StatusStore.find(db, ids: [last], for: account, where: condition)[last]
        }
        if let conversation = try await conversations(endingWith: [status].compactMap(\.self), of: account).first {
            return conversation
        }
        let alone = try await AccountStore(database).accounts(ids: [account])
        return Conversation(id: id, isUnread: false, accounts: alone, lastStatus: nil)
    }

    /// Hides a conversation until its next status.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such conversation.
    package func hide(_ id: Int64, of account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            let last = try Self.last(of: id, account, in: db)
            try db.execute(
                "UPDATE conversation SET is_hidden = 1, is_unread = 0 WHERE account_id = \(account) AND id = \(id)")
            try db.log(.conversationHidden, subject: last, account: account, at: now)
        }
    }
}

extension ConversationStore {
    /// The newest status of a conversation that is not hidden.
    private static func last(of id: Int64, _ account: Int64, in db: Database) throws -> Int64 {
        let query: SQL =
            "SELECT last_status_id FROM conversation WHERE account_id = \(account) AND id = \(id) AND is_hidden = 0"
        guard let last = try db.fetchOne(query, as: Int64.self) else { throw FeedError.notFound }
        return last
    }

    /// The conversations that end with the given statuses, in the same order.
    private func conversations(endingWith statuses: [Status], of account: Int64) async throws -> [Conversation] {
        guard !statuses.isEmpty else { return [] }
        let rows = try await database.read { db in
            try db.fetchAll(
                """
                SELECT last_status_id, id, is_unread FROM conversation
                WHERE account_id = \(account) AND last_status_id IN (\(ids: statuses.map(\.id)))
                """)
        }
        let rowsByStatus = try Dictionary(rows.map { try ($0[0] as Int64, $0) }) { first, _ in first }
        let accounts = try await accounts(of: statuses, for: account)
        return try statuses.compactMap { status in
            guard let row = rowsByStatus[status.id] else { return nil }
            let participants = Conversation.participants(of: status, for: account).compactMap { accounts[$0] }
            return try Conversation(id: row[1], isUnread: row[2], accounts: participants, lastStatus: status)
        }
    }

    /// The participants of conversations, by id.
    private func accounts(of statuses: [Status], for account: Int64) async throws -> [Int64: Account] {
        var accounts: [Int64: Account] = [:]
        let ids = Set(statuses.flatMap { Conversation.participants(of: $0, for: account) }).sorted()
        for some in ids.chunks(of: Self.batch) {
            for account in try await AccountStore(database).accounts(ids: Array(some)) {
                accounts[account.id] = account
            }
        }
        return accounts
    }
}

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
