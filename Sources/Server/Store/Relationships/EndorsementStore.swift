package import FeedCore

/// Stores in the database which accounts an account shows on its profile.
package struct EndorsementStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Endorses an account. Idempotent.
    /// - Throws: ``FeedError`` `.notFound`; `.invalid` unless `account` follows the target.
    package func endorse(_ target: Int64, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            _ = try db.target(target, of: account)
            try db.requireActiveAccount(account)
            guard try Self.follows(target, by: account, in: db) else {
                throw FeedError.invalid("You must be already following the person you want to endorse")
            }
            try db.execute(
                """
                INSERT INTO endorsement (account_id, target_id, id)
                VALUES (\(account), \(target), \(try db.nextID(now: now)))
                ON CONFLICT (account_id, target_id) DO NOTHING
                """)
            if try db.changesCount > 0 { try db.log(.endorsed, subject: target, account: account, at: now) }
        }
    }

    package func unendorse(_ target: Int64, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { try Self.remove(target, by: account, at: now, in: $0) }
    }

    /// The endorsed accounts, the latest endorsement first.
    /// - Parameter viewer: For whom they are listed; blocked and muted accounts are left out of lists of others.
    package func endorsements(
        of account: Int64, page: Pagination, for viewer: Int64?
    ) async throws -> [EndorsedAccount] {
        let now = database.clock.now()
        let query: SQL = """
            SELECT \(sql: AccountRow.columns), n.id FROM endorsement n CROSS JOIN account a ON a.id = n.target_id
            WHERE n.account_id = \(account) AND \(page.bounds(on: "n.id")) AND \(sql: AccountRow.visible)
            AND \(FollowStore.acceptable(to: viewer, in: account, at: now))
            ORDER BY n.id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { row in
            try EndorsedAccount(id: row[AccountRow.count], account: try AccountRow.decode(row))
        }
    }

    static func remove(_ target: Int64, by account: Int64, at now: Int64, in db: Database) throws {
        try db.execute("DELETE FROM endorsement WHERE account_id = \(account) AND target_id = \(target)")
        if try db.changesCount > 0 { try db.log(.unendorsed, subject: target, account: account, at: now) }
    }

    private static func follows(_ target: Int64, by account: Int64, in db: Database) throws -> Bool {
        let query: SQL = """
            SELECT 1 FROM follow f WHERE f.follower_id = \(account) AND f.followee_id = \(target)
            AND \(StatusVisibility.published("f"))
            """
        return try db.fetchOne(query) != nil
    }
}
