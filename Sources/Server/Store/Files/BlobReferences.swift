package import FeedCore

/// All blobs to which the rows of a database refer. Must list what ``FileStore/used(among:)`` looks for.
package enum BlobReferences {
    private static let batch = 1000

    /// The queries of the references, each for one page after a hash: hash, size and name.
    private static let queries = [
        """
        SELECT blob, max(size), min(name) FROM file WHERE blob > ? GROUP BY blob ORDER BY blob LIMIT \(batch)
        """,
        """
        SELECT avatar, NULL, '@' || min(username) FROM account
        WHERE avatar > ? AND NOT EXISTS (SELECT 1 FROM file WHERE file.blob = account.avatar)
        GROUP BY avatar ORDER BY avatar LIMIT \(batch)
        """,
    ]

    /// Passes each blob once, always in the same order, at most 1,000 at a time.
    package static func forEachPage(
        in source: any DatabaseReading, _ body: ([BlobReference]) async throws -> Void
    ) async throws {
        for query in queries {
            var last = ""
            while true {
                let page = try await source.read { [last] db in
                    try Row.fetchAll(db, sql: query, arguments: [last]).map {
                        BlobReference(hash: $0[0], size: $0[1], name: $0[2])
                    }
                }
                if !page.isEmpty { try await body(page) }
                guard page.count == batch, let end = page.last else { break }
                last = end.hash
            }
        }
    }

    /// The total size in bytes that the files state, for progress. A size above 1 TiB, which can only be damage, does not
    /// count.
    package static func bytes(in source: any DatabaseReading) async throws -> Int64 {
        try await source.read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT CAST(coalesce(sum(size), 0) AS BIGINT)
                    FROM (SELECT max(size) AS size FROM file GROUP BY blob) AS blobs
                    WHERE size BETWEEN 0 AND 1099511627776
                    """) ?? 0
        }
    }

    /// The referenced hashes that begin with two hexadecimal digits.
    package static func hashes(prefix: UInt8, in source: any DatabaseReading) async throws -> Set<String> {
        let (first, last) = (Hexadecimal.text([prefix]), Hexadecimal.text([prefix]) + "g")
        return try await source.read { db in
            let sql = """
                SELECT blob FROM file WHERE blob >= ?1 AND blob < ?2
                UNION SELECT avatar FROM account WHERE avatar >= ?1 AND avatar < ?2
                """
            return Set(try String.fetchAll(db, sql: sql, arguments: [first, last]))
        }
    }
}

extension FileStore {
    /// The subset of `hashes` that are listed for collection.
    package func listedForCollection(among hashes: [String]) async throws -> Set<String> {
        guard !hashes.isEmpty else { return [] }
        return try await database.read { db in
            Set(try String.fetchAll(db, "SELECT blob FROM replaced_blob WHERE blob IN \(list: hashes)"))
        }
    }

    /// Corrects the size of all files with a blob.
    /// - Parameter size: The actual size in bytes.
    package func setSize(_ size: Int64, ofBlob hash: String) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try db.execute(sql: "UPDATE file SET size = ? WHERE blob = ?", arguments: [size, hash])
            try db.log(.filePut, at: now)
        }
    }
}
