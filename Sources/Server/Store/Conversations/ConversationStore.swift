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
        let statuses = try await StatusStore(database).timeline(.conversations(of: account), page: page, for: account)
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
