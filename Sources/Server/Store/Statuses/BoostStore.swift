package import FeedCore

/// Stores boosts in the database. A boost is a row of `status`, too.
package struct BoostStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Boosts a status, or returns the existing boost.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the visibility of the status does not allow boosts.
    package func boost(_ id: Int64, visibility: Visibility?, by account: Int64) async throws -> Status {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let status = try StatusStore.find(db, id: id, for: account) else { throw FeedError.notFound }
            try db.requireActiveAccount(account)
            let seen = try BoostRule.visibility(of: status, wanted: visibility, by: account)
            let boost =
                try Self.boost(of: status.id, by: account, in: db)
                ?? Self.insert(of: status, seen, by: account, at: now, in: db)
            guard let stored = try StatusStore.find(db, id: boost, for: account) else { throw FeedError.notFound }
            return stored
        }
    }

    /// Removes a boost.
    /// - Returns: The status; ``Status/redacted`` if the account may no longer see it.
    /// - Throws: ``FeedError`` `.notFound` if the account may not see the status and has not boosted it.
    package func unboost(_ id: Int64, by account: Int64) async throws -> Status {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let seen = try StatusStore.find(db, id: id, for: account)
            guard let status = try seen ?? StatusStore.statusToUndo(db, id: id, by: account, where: \.isBoostedByViewer)
            else {
                throw FeedError.notFound
            }
            if let boost = try Self.boost(of: status.id, by: account, in: db) {
                try Self.remove(boost, of: status, by: account, at: now, in: db)
            }
            return try StatusStore.statusAfterUndo(db, id: status.id, by: account)
        }
    }

    static func boost(of id: Int64, by account: Int64, in db: Database) throws -> Int64? {
        let query: SQL = "SELECT id FROM status WHERE boost_of_id = \(id) AND account_id = \(account)"
        return try db.fetchOne(query, as: Int64.self)
    }

    private static func insert(
        of status: Status, _ visibility: Visibility, by account: Int64, at now: Int64, in db: Database
    ) throws -> Int64 {
        let id = try db.nextID(now: now)
        try db.execute(
            """
            INSERT INTO status (id, account_id, created_at, visibility, text, content, boost_of_id)
            VALUES (\(id), \(account), \(now), \(visibility.rawValue), '', '', \(status.id))
            """)
        try count(1, of: status.id, by: account, in: db)
        try db.log(.boosted, subject: id, account: account, related: status.id, at: now)
        try db.notify(status.account.id, of: .reblog, by: account, status: status.id, at: now)
        return id
    }

    /// - Parameter wasHidden: Whether the account is suspended, so that nobody is notified.
    static func remove(
        _ boost: Int64, of status: Status, by account: Int64, wasHidden: Bool = false, at now: Int64, in db: Database
    ) throws {
        let removed: SQL = "DELETE FROM status WHERE id = \(boost) RETURNING visibility"
        let visibility = try db.fetchOne(removed, as: Int.self).flatMap(Visibility.init)
        try count(-1, of: status.id, by: account, in: db)
        try db.retract(.reblog, by: account, status: status.id, from: status.account.id)
        try db.log(
            .unboosted, subject: boost, account: account, related: status.id, visibility: wasHidden ? nil : visibility,
            at: now)
    }

    private static func count(_ step: Int, of status: Int64, by account: Int64, in db: Database) throws {
        try db.execute(
            """
            UPDATE status SET reblogs_count = CASE WHEN reblogs_count + \(step) > 0 THEN reblogs_count + \(step)
            ELSE 0 END WHERE id = \(status)
            """)
        try db.execute(
            """
            UPDATE account SET statuses_count = CASE WHEN statuses_count + \(step) > 0 THEN statuses_count + \(step)
            ELSE 0 END WHERE id = \(account)
            """)
    }
}
