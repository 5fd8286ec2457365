package import FeedCore

extension ListStore {
    package func add(_ accounts: [Int64], to id: Int64, of owner: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            _ = try Self.require(db, id, of: owner)
            let count = try db.cachedStatement(sql: "SELECT count(*) FROM list_member WHERE list_id = ?")
            try ListRule.checkAdding(
                accounts, candidates: try Self.candidates(accounts, of: owner, in: db),
                members: try Self.members(accounts, of: id, in: db),
                count: try Int.fetchOne(count, arguments: [id]) ?? 0)
            let statement = try db.cachedStatement(
                sql: "INSERT INTO list_member (list_id, account_id, owner_id) VALUES (?, ?, ?)")
            for account in accounts { try statement.execute(arguments: [id, account, owner]) }
            try db.log(.listChanged, subject: id, account: owner, at: now)
        }
    }

    package func remove(_ accounts: [Int64], from id: Int64, of owner: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            _ = try Self.require(db, id, of: owner)
            try db.execute("DELETE FROM list_member WHERE list_id = \(id) AND account_id IN (\(ids: accounts))")
            if db.changesCount > 0 { try db.log(.listChanged, subject: id, account: owner, at: now) }
        }
    }

    package func members(of id: Int64, page: Pagination) async throws -> [Account] {
        let query: SQL = """
            SELECT \(sql: AccountRow.columns) FROM list_member m CROSS JOIN account a ON a.id = m.account_id
            WHERE m.list_id = \(id) AND \(page.bounds(on: "m.account_id")) AND \(sql: AccountRow.visible)
            ORDER BY m.account_id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { try AccountRow.decode($0) }
    }

    package func memberIDs(of id: Int64) async throws -> Set<Int64> {
        try await database.read { db in
            let statement = try db.cachedStatement(sql: "SELECT account_id FROM list_member WHERE list_id = ?")
            return Set(try Int64.fetchAll(statement, arguments: [id]))
        }
    }

    /// Removes an account that the owner no longer follows from its lists. Runs inside the transaction that ends the
    /// follow.
    static func remove(_ account: Int64, fromAllListsOf owner: Int64, at now: Int64, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "DELETE FROM list_member WHERE owner_id = ? AND account_id = ? RETURNING list_id")
        for list in try Int64.fetchAll(statement, arguments: [owner, account]) {
            try db.log(.listChanged, subject: list, account: owner, at: now)
        }
    }

    /// The visible accounts among `accounts` that the owner follows, and the owner itself.
    private static func candidates(_ accounts: [Int64], of owner: Int64, in db: Database) throws -> Set<Int64> {
        let query: SQL = """
            SELECT a.id FROM account a WHERE a.id IN (\(ids: accounts)) AND \(sql: AccountRow.visible)
            AND (a.id = \(owner) OR \(StatusVisibility.follows(owner, "a.id")))
            """
        return Set(try Int64.fetchAll(db, query))
    }

    private static func members(_ accounts: [Int64], of id: Int64, in db: Database) throws -> Set<Int64> {
        Set(
            try Int64.fetchAll(
                db,
                "SELECT m.account_id FROM list_member m WHERE m.list_id = \(id) AND m.account_id IN (\(ids: accounts))")
        )
    }
}
