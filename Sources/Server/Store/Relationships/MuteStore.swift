package import FeedCore

/// Stores mutes in the database. Expired mutes are ignored.
package struct MuteStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Mutes an account or replaces an existing mute.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the accounts are the same.
    package func mute(_ target: Int64, by account: Int64, _ mute: Mute) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            _ = try db.target(target, of: account)
            try db.requireActiveAccount(account)
            try db.execute(
                """
                INSERT INTO mute (account_id, target_id, id, hides_notifications, expires_at)
                VALUES (\(account), \(target), \(try db.nextID(now: now)), \(mute.hidesNotifications),
                \(mute.expiresAt))
                ON CONFLICT (account_id, target_id) DO UPDATE SET
                hides_notifications = excluded.hides_notifications, expires_at = excluded.expires_at
                WHERE mute.hides_notifications <> excluded.hides_notifications
                OR mute.expires_at IS DISTINCT FROM excluded.expires_at
                """)
            if try db.changesCount > 0 { try db.log(.muted, subject: target, account: account, at: now) }
        }
    }

    package func unmute(_ target: Int64, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try db.execute("DELETE FROM mute WHERE account_id = \(account) AND target_id = \(target)")
            if try db.changesCount > 0 { try db.log(.unmuted, subject: target, account: account, at: now) }
        }
    }

    /// The muted accounts, newest account first; paged by account id.
    package func mutes(of account: Int64, page: Pagination) async throws -> [MutedAccount] {
        let now = database.clock.now()
        let query: SQL = """
            SELECT \(sql: AccountRow.columns), m.hides_notifications, m.expires_at
            FROM mute m CROSS JOIN account a ON a.id = m.target_id
            WHERE m.account_id = \(account) AND \(page.bounds(on: "m.target_id")) AND \(sql: AccountRow.visible)
            AND (m.expires_at IS NULL OR m.expires_at > \(now))
            ORDER BY m.target_id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { row in
            try MutedAccount(
                account: try AccountRow.decode(row),
                mute: Mute(hidesNotifications: row[AccountRow.count], expiresAt: row[AccountRow.count + 1]))
        }
    }

    /// Deletes expired mutes, at most 500 per call, and logs each in the change log.
    /// - Returns: The number of deleted mutes.
    package func removeExpired() async throws -> Int {
        let now = database.clock.now()
        let isDue = try await database.read { db in
            try db.fetchOne("SELECT 1 FROM mute WHERE expires_at <= \(now) LIMIT 1", as: Int64.self) != nil
        }
        guard isDue else { return 0 }
        return try await database.commits.write { try Self.removeExpired(at: now, in: $0) }
    }

    private static func removeExpired(at now: Int64, in db: Database) throws -> Int {
        let due = try db.fetchAll(
            "SELECT account_id, target_id FROM mute WHERE expires_at <= \(now) ORDER BY expires_at LIMIT 500")
        for row in due {
            try db.execute(
                "DELETE FROM mute WHERE account_id = \(row[0] as Int64) AND target_id = \(row[1] as Int64)")
            try db.log(.unmuted, subject: row[1], account: row[0], at: now)
        }
        return due.count
    }
}
