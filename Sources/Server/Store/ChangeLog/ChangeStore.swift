package import FeedCore

/// Stores the change log in the database.
package struct ChangeStore: ChangeLog {
    /// The maximum number of rows read to catch up with other servers.
    private static let maximumCaughtUp = 256

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func position() async throws -> ChangePosition {
        try await database.read { db in
            let epoch = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'epoch'") ?? ""
            return ChangePosition(epoch: epoch, sequence: try db.lastChange())
        }
    }

    package func stamp() -> ChangeStamp { database.engine.stamp() }

    package var isShared: Bool { database.engine.isShared }

    package func catchUp() async throws {
        guard isShared else { return }
        try await database.position.read { [database] in
            // Read before the query, so that changes committed meanwhile do not appear to be lost.
            let known = database.log.sequence
            let (rows, last) = try await database.read { db in
                (try db.changes(after: known, limit: Self.maximumCaughtUp), try db.lastChange())
            }
            guard last < known else { return database.log.extend(by: rows, upTo: last) }
            // Every transaction renews the epoch of a log that is behind.
            try await database.commits.write { _ in }
        }
    }

    package func changes(after sequence: Int64, limit: Int) async throws -> [Change] {
        try await database.read { try $0.changes(after: sequence, limit: limit) }
    }

    /// Records that the custom emoji of this server have changed.
    package func recordEmojiChange() async throws {
        let now = database.clock.now()
        try await database.commits.write { try $0.log(.emojiChanged, at: now) }
    }

    /// Deletes changes older than `time` (milliseconds since 1970), at most 1,000 per call.
    /// - Returns: The number of deleted changes.
    package func prune(before time: Int64) async throws -> Int {
        // The newest row is kept, because it determines the position of the log.
        let old = """
            SELECT sequence FROM change WHERE at < ? AND sequence < (SELECT max(sequence) FROM change) LIMIT 1000
            """
        return try await database.commits.write(freesSpace: true) { db in
            let removed = try Int64.fetchAll(
                db, sql: "DELETE FROM change WHERE sequence IN (\(old)) RETURNING sequence", arguments: [time])
            if let newest = removed.max() { try db.recordPruned(upTo: newest) }
            return removed.count
        }
    }
}
