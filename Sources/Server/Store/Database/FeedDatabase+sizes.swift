import FeedCore
import Foundation

/// The amount of stored data.
package struct FeedSizes: Sendable, Equatable {
    package var accounts: Int
    package var statuses: Int
    /// The size of the database in bytes, with the write-ahead log of SQLite.
    package var databaseBytes: Int64
    /// The size of all uploaded files in bytes. Content that several files share counts once.
    package var fileBytes: Int64
}

extension FeedDatabase {
    package var engineName: String { sqlite == nil ? "PostgreSQL" : "SQLite" }

    package func sizes() async throws -> FeedSizes {
        let counts = try await AccountStore(self).counts()
        let fileBytes = try await read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT CAST(coalesce(sum(size), 0) AS BIGINT)
                    FROM (SELECT blob, max(size) AS size FROM file GROUP BY blob) AS stored
                    """) ?? 0
        }
        return FeedSizes(
            accounts: counts.accounts, statuses: counts.statuses, databaseBytes: try await databaseBytes(),
            fileBytes: fileBytes)
    }

    private func databaseBytes() async throws -> Int64 {
        if let path = sqlite?.path { return ["", "-wal"].reduce(0) { $0 + Self.size(path + $1) } }
        return try await read { db in
            try Int64.fetchOne(db, sql: "SELECT pg_database_size(current_database())") ?? 0
        }
    }

    private static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
