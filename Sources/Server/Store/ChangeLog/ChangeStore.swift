package import FeedCore

/// Stores the change log in the database.
package struct ChangeStore: ChangeLog {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func position() async throws -> ChangePosition {
        try await database.read { db in
            let epoch = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'epoch'") ?? ""
            return ChangePosition(epoch: epoch, sequence: try db.lastChange())
        }
    }

    package func stamp() -> ChangeStamp { database.engine.stamp() }

    package func catchUp() async throws {
        guard database.engine.isShared else { return }
        try await database.position.read { [database] in
            // Read before the query, so that changes committed meanwhile do not appear to be lost.
            let known = database.log.sequence
            let last = try await database.read { try $0.lastChange() }
            guard last < known else { return database.log.advance(to: last) }
            // Every transaction renews the epoch of a log that is behind.
            try await database.commits.write { _ in }
        }
    }

    package func changes(after sequence: Int64, limit: Int) async throws -> [Change] {
        try await database.read { db in
            let sql =
                "SELECT sequence, kind, subject, account, at FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?"
            return try Row.fetchAll(db, sql: sql, arguments: [sequence, limit]).compactMap { row in
                guard let kind = Change.Kind(rawValue: row[1]) else { return nil }
                return Change(sequence: row[0], kind: kind, subject: row[2], account: row[3], at: row[4])
            }
        }
    }

    /// Deletes changes older than `time` (milliseconds since 1970), at most 1,000 per call.
    /// - Returns: The number of deleted changes.
    package func prune(before time: Int64) async throws -> Int {
        // The newest row is kept, because it determines the position of the log.
        let old = """
            SELECT sequence FROM change WHERE at < ? AND sequence < (SELECT max(sequence) FROM change) LIMIT 1000
            """
        return try await database.commits.write(freesSpace: true) { db in
            try db.execute(
                sql: "DELETE FROM change WHERE sequence IN (\(old))", arguments: [time])
            return db.changesCount
        }
    }
}
