package import FeedCore

/// Stores lists of accounts in the database. A list is visible only to its owner.
package struct ListStore: Sendable {
    private enum Column: Int, EntityColumn { case id, accountID, title, repliesPolicy, exclusive }

    private static let columns = Column.list(of: "l")

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The lists of an account, oldest first.
    package func lists(of owner: Int64) async throws -> [AccountList] {
        try await database.read { db in
            let query: SQL = "SELECT \(sql: Self.columns) FROM list l WHERE l.account_id = \(owner) ORDER BY l.id"
            return try db.fetchAll(query).map(Self.decode)
        }
    }

    /// The lists of an account that contain another account, oldest first.
    package func lists(of owner: Int64, containing account: Int64) async throws -> [AccountList] {
        try await database.read { db in
            let query: SQL = """
                SELECT \(sql: Self.columns) FROM list_member m CROSS JOIN list l ON l.id = m.list_id
                WHERE m.owner_id = \(owner) AND m.account_id = \(account) ORDER BY l.id
                """
            return try db.fetchAll(query).map(Self.decode)
        }
    }

    /// - Returns: `nil` if there is no such list, or it belongs to another account.
    package func list(_ id: Int64, of owner: Int64) async throws -> AccountList? {
        try await database.read { try Self.find($0, id, of: owner) }
    }

    /// Creates a list. Without other values, its replies policy is `list`, and it is not exclusive.
    /// - Throws: ``FeedError`` `.invalid` according to ``ListRule``; `.forbidden` for a removed account.
    package func create(_ draft: ListDraft, by owner: Int64) async throws -> AccountList {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try db.requireActiveAccount(owner)
            let count: SQL = "SELECT count(*) FROM list WHERE account_id = \(owner)"
            try ListRule.checkNumber(try db.fetchOne(count, as: Int.self) ?? 0)
            let new = AccountList(
                id: try db.nextID(now: now), ownerID: owner, title: "", repliesPolicy: .list, isExclusive: false)
            let list = draft.applied(to: new)
            try ListRule.checkTitle(list.title)
            try db.execute(
                """
                INSERT INTO list (id, account_id, title, replies_policy, exclusive)
                VALUES (\(list.id), \(owner), \(list.title), \(list.repliesPolicy.rawValue), \(list.isExclusive))
                """)
            try db.log(.listChanged, subject: list.id, account: owner, at: now)
            return list
        }
    }

    /// Changes a list.
    /// - Throws: ``FeedError`` `.notFound`, `.invalid`.
    package func update(_ id: Int64, of owner: Int64, _ draft: ListDraft) async throws -> AccountList {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let old = try Self.require(db, id, of: owner)
            let list = draft.applied(to: old)
            try ListRule.checkTitle(list.title)
            guard list != old else { return old }
            try db.execute(
                """
                UPDATE list SET title = \(list.title), replies_policy = \(list.repliesPolicy.rawValue),
                exclusive = \(list.isExclusive) WHERE id = \(id)
                """)
            try db.log(.listChanged, subject: id, account: owner, at: now)
            return list
        }
    }

    /// - Throws: ``FeedError`` `.notFound`.
    package func delete(_ id: Int64, of owner: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            _ = try Self.require(db, id, of: owner)
            try db.execute("DELETE FROM list WHERE id = \(id)")
            try db.log(.listChanged, subject: id, account: owner, at: now)
        }
    }
}

extension ListStore {
    static func find(_ db: Database, _ id: Int64, of owner: Int64) throws -> AccountList? {
        let query: SQL = "SELECT \(sql: columns) FROM list l WHERE l.id = \(id) AND l.account_id = \(owner)"
        return try db.fetchOne(query).map(decode)
    }

    /// - Throws: ``FeedError`` `.notFound` if there is no such list, or it belongs to another account.
    static func require(_ db: Database, _ id: Int64, of owner: Int64) throws -> AccountList {
        guard let list = try find(db, id, of: owner) else { throw FeedError.notFound }
        return list
    }

    private static func decode(_ row: Row) throws -> AccountList {
        let row = EntityRow(row, Column.self)
        return try AccountList(
            id: row[.id], ownerID: row[.accountID], title: row[.title],
            repliesPolicy: AccountList.RepliesPolicy(rawValue: row[.repliesPolicy]) ?? .list,
            isExclusive: row[.exclusive])
    }
}

extension ListStore {
    /// Adds all accounts, or none.
    /// - Throws: ``FeedError`` `.notFound` for an unknown list or an account that the owner does not follow; `.invalid`
    ///   according to ``ListRule``.
    package func add(_ accounts: [Int64], to id: Int64, of owner: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            _ = try Self.require(db, id, of: owner)
            let count: SQL = "SELECT count(*) FROM list_member WHERE list_id = \(id)"
            try ListRule.checkAdding(
                accounts, candidates: try Self.candidates(accounts, of: owner, in: db),
                members: try Self.members(accounts, of: id, in: db),
                count: try db.fetchOne(count, as: Int.self) ?? 0)
            for account in accounts {
                try db.execute(
                    "INSERT INTO list_member (list_id, account_id, owner_id) VALUES (\(id), \(account), \(owner))")
            }
            try db.log(.listChanged, subject: id, account: owner, at: now)
        }
    }

    /// Removes accounts. Ignores accounts that are not members.
    /// - Throws: ``FeedError`` `.notFound` for an unknown list.
    package func remove(_ accounts: [Int64], from id: Int64, of owner: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            _ = try Self.require(db, id, of: owner)
            try db.execute("DELETE FROM list_member WHERE list_id = \(id) AND account_id IN (\(ids: accounts))")
            if try db.changesCount > 0 { try db.log(.listChanged, subject: id, account: owner, at: now) }
        }
    }

    /// The visible members of a list, newest account first; paged by account id.
    package func members(of id: Int64, page: Pagination) async throws -> [Account] {
        let query: SQL = """
            SELECT \(sql: AccountRow.columns) FROM list_member m CROSS JOIN account a ON a.id = m.account_id
            WHERE m.list_id = \(id) AND \(page.bounds(on: "m.account_id")) AND \(sql: AccountRow.visible)
            ORDER BY m.account_id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { try AccountRow.decode($0) }
    }

    /// The ids of all members of a list.
    package func memberIDs(of id: Int64) async throws -> Set<Int64> {
        try await database.read { db in
            let query: SQL = "SELECT account_id FROM list_member WHERE list_id = \(id)"
            return Set(try db.fetchAll(query, as: Int64.self))
        }
    }

    /// Removes an account that the owner no longer follows from its lists. Runs inside the transaction that ends the
    /// follow.
    static func remove(_ account: Int64, fromAllListsOf owner: Int64, at now: Int64, in db: Database) throws {
        let query: SQL =
            "DELETE FROM list_member WHERE owner_id = \(owner) AND account_id = \(account) RETURNING list_id"
        for list in try db.fetchAll(query, as: Int64.self) {
            try db.log(.listChanged, subject: list, account: owner, at: now)
        }
    }

    /// The visible accounts among `accounts` that the owner follows, and the owner itself.
    private static func candidates(_ accounts: [Int64], of owner: Int64, in db: Database) throws -> Set<Int64> {
        let query: SQL = """
            SELECT a.id FROM account a WHERE a.id IN (\(ids: accounts)) AND \(sql: AccountRow.visible)
            AND (a.id = \(owner) OR \(StatusVisibility.follows(owner, "a.id")))
            """
        return Set(try db.fetchAll(query, as: Int64.self))
    }

    private static func members(_ accounts: [Int64], of id: Int64, in db: Database) throws -> Set<Int64> {
        Set(
            try db.fetchAll(
                "SELECT m.account_id FROM list_member m WHERE m.list_id = \(id) AND m.account_id IN (\(ids: accounts))",
                as: Int64.self)
        )
    }
}
