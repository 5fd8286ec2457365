import FeedCore

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
                    FROM (SELECT blob, max(size) AS size FROM (
                        SELECT blob, size FROM file
                        UNION ALL SELECT blob, size FROM media WHERE blob IS NOT NULL
                        UNION ALL SELECT thumbnail, thumbnail_size FROM media WHERE thumbnail IS NOT NULL
                    ) AS named GROUP BY blob) AS stored
                    """) ?? 0
        }
        return FeedSizes(
            accounts: counts.accounts, statuses: counts.statuses, databaseBytes: try await bytes(),
            fileBytes: fileBytes)
    }
}
