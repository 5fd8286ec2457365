package import FeedCore
import Foundation
import GRDB

/// The change log in SQLite.
package struct ChangeStore: ChangeLog {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func position() async throws -> ChangePosition {
        try await database.read { db in
            let epoch = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'epoch'") ?? ""
            return ChangePosition(epoch: epoch, sequence: try db.lastChange())
        }
    }

    /// Derived from the write-ahead log, which every commit changes; modification times have a resolution of
    /// milliseconds.
    package func stamp() -> ChangeStamp {
        var status = stat()
        guard stat(database.pool.path + "-wal", &status) == 0 else { return ChangeStamp() }
        return ChangeStamp(Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_size))
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
        try await database.commits.write(freesSpace: true) { db in
            try db.execute(
                sql: "DELETE FROM change WHERE sequence IN (SELECT sequence FROM change WHERE at < ? LIMIT 1000)",
                arguments: [time])
            return db.changesCount
        }
    }
}
