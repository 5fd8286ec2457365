package import FeedCore

/// Stores blocks in the database.
package struct BlockStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Blocks an account and removes the follows and follow requests between the two. Idempotent.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the accounts are the same.
    package func block(_ target: Int64, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            _ = try db.target(target, of: account)
            try db.requireActiveAccount(account)
            try db.execute(
                """
                INSERT INTO block (account_id, target_id, id)
                VALUES (\(account), \(target), \(try db.nextID(now: now)))
                ON CONFLICT (account_id, target_id) DO NOTHING
                """)
            guard try db.changesCount > 0 else { return }
            try Self.endFollows(between: account, and: target, at: now, in: db)
            try Self.forget(target, account: account, in: db)
            try db.log(.blocked, subject: target, account: account, at: now)
        }
    }

    package func unblock(_ target: Int64, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try db.execute("DELETE FROM block WHERE account_id = \(account) AND target_id = \(target)")
            if try db.changesCount > 0 { try db.log(.unblocked, subject: target, account: account, at: now) }
        }
    }

    /// The blocked accounts, newest account first; paged by account id.
    package func blocks(of account: Int64, page: Pagination) async throws -> [Account] {
        let query: SQL = """
            SELECT \(sql: AccountRow.columns) FROM block b CROSS JOIN account a ON a.id = b.target_id
            WHERE b.account_id = \(account) AND \(page.bounds(on: "b.target_id")) AND \(sql: AccountRow.visible)
            ORDER BY b.target_id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { try AccountRow.decode($0) }
    }

    /// Ends follows and follow requests in both directions.
    private static func endFollows(between one: Int64, and other: Int64, at now: Int64, in db: Database) throws {
        for pair in [FollowPair(follower: one, followee: other), FollowPair(follower: other, followee: one)] {
            try pair.refuseStaged(in: db)
            try pair.end(at: now, in: db)
            try pair.dropRequest(logging: .unfollowed, at: now, in: db)
        }
    }

    private static func forget(_ target: Int64, account: Int64, in db: Database) throws {
        let notifications: SQL = "from_id = \(target) AND account_id = \(account)"
        while try db.deleteNotifications(where: notifications, limit: 500) > 0 {}
    }
}
