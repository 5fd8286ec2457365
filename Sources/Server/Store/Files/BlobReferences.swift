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

    /// The same for columns that old backups do not have, or do not use. Each blob appears in the first query that finds it.
    private static let mediaQueries = [
        """
        SELECT header, NULL, '@' || min(username) FROM account
        WHERE header > ? AND \(isNew("account.header", after: file, avatar))
        GROUP BY header ORDER BY header LIMIT \(batch)
        """,
        """
        SELECT blob, max(size), 'media ' || CAST(min(id) AS TEXT) FROM media
        WHERE blob > ? AND \(isNew("media.blob", after: file, avatar, header))
        GROUP BY blob ORDER BY blob LIMIT \(batch)
        """,
        """
        SELECT thumbnail, max(thumbnail_size), 'media ' || CAST(min(id) AS TEXT) FROM media
        WHERE thumbnail > ? AND \(isNew("media.thumbnail", after: file, avatar, header, media))
        GROUP BY thumbnail ORDER BY thumbnail LIMIT \(batch)
        """,
    ]

    private static let stillQueries = [
        """
        SELECT avatar_static, NULL, '@' || min(username) FROM account
        WHERE avatar_static > ? AND \(isNew("account.avatar_static", after: file, avatar, header, media, thumbnail))
        GROUP BY avatar_static ORDER BY avatar_static LIMIT \(batch)
        """,
        """
        SELECT header_static, NULL, '@' || min(username) FROM account
        WHERE header_static > ?
        AND \(isNew("account.header_static", after: file, avatar, header, media, thumbnail, avatarStatic))
        GROUP BY header_static ORDER BY header_static LIMIT \(batch)
        """,
    ]

    private typealias Column = (table: String, name: String)
    private static let file: Column = ("file", "blob")
    private static let avatar: Column = ("account", "avatar")
    private static let header: Column = ("account", "header")
    private static let media: Column = ("media", "blob")
    private static let thumbnail: Column = ("media", "thumbnail")
    private static let avatarStatic: Column = ("account", "avatar_static")
    private static let headerStatic: Column = ("account", "header_static")

    /// Whether a blob is in none of the columns.
    private static func isNew(_ blob: String, after columns: Column...) -> String {
        columns.map { "NOT EXISTS (SELECT 1 FROM \($0.table) other WHERE other.\($0.name) = \(blob))" }
            .joined(separator: " AND ")
    }

    /// Whether the database can contain media, which backups by older versions do not.
    private static func hasMedia(_ source: any DatabaseReading) async throws -> Bool {
        try await source.read { try $0.connection.hasTable("media") }
    }

    /// Whether the database can contain still images of pictures, which backups by older versions do not.
    private static func hasStills(_ source: any DatabaseReading) async throws -> Bool {
        try await source.read { try $0.connection.columns(of: "account").contains(avatarStatic.name) }
    }

    /// Passes each blob once, always in the same order, at most 1,000 at a time. Names that are not hashes are left out
    /// (``TextColumnCheck``).
    package static func forEachPage(
        in source: any DatabaseReading, _ body: ([BlobReference]) async throws -> Void
    ) async throws {
        let (hasMedia, hasStills) = (try await hasMedia(source), try await hasStills(source))
        for query in queries + (hasMedia ? mediaQueries : []) + (hasStills ? stillQueries : []) {
            var last = ""
            while true {
                let rows = try await source.read { [last] db in
                    try db.fetchAll(SQL(sql: query, [.text(last)])).map {
                        (text: try $0[0] as String, size: try $0[1] as Int64?, name: try $0[2] as String)
                    }
                }
                let page = rows.compactMap { row in
                    BlobHash(row.text).map { BlobReference(hash: $0, size: row.size, name: row.name) }
                }
                if !page.isEmpty { try await body(page) }
                guard rows.count == batch, let end = rows.last else { break }
                last = end.text
            }
        }
    }

    /// The total size in bytes that the files state, for progress. A size above 1 TiB, which can only be damage, does not
    /// count.
    package static func bytes(in source: any DatabaseReading) async throws -> Int64 {
        let tables = try await hasMedia(source) ? [files, contents, thumbnails] : [files]
        return try await source.read { db in
            try db.fetchOne(
                """
                SELECT CAST(coalesce(sum(size), 0) AS BIGINT)
                FROM (SELECT max(size) AS size FROM (\(sql: tables.joined(separator: " UNION ALL "))) AS named
                    GROUP BY blob) AS blobs
                WHERE size BETWEEN 0 AND 1099511627776
                """, as: Int64.self) ?? 0
        }
    }

    private static let files = "SELECT blob, size FROM file"
    private static let contents = "SELECT blob, size FROM media WHERE blob IS NOT NULL"
    private static let thumbnails = "SELECT thumbnail, thumbnail_size FROM media WHERE thumbnail IS NOT NULL"

    /// The referenced hashes that begin with two hexadecimal digits.
    package static func hashes(prefix: UInt8, in source: any DatabaseReading) async throws -> Set<BlobHash> {
        let (first, last) = (Hex.text([prefix]), Hex.text([prefix]) + "g")
        let (hasMedia, hasStills) = (try await hasMedia(source), try await hasStills(source))
        let columns =
            [file, avatar] + (hasMedia ? [header, media, thumbnail] : [])
            + (hasStills ? [avatarStatic, headerStatic] : [])
        let sql = columns.map { "SELECT \($0.name) FROM \($0.table) WHERE \($0.name) >= ?1 AND \($0.name) < ?2" }
            .joined(separator: " UNION ")
        return try await source.read {
            let names = try $0.fetchAll(SQL(sql: sql, [.text(first), .text(last)]), as: String.self)
            return Set(names.compactMap { BlobHash($0) })
        }
    }
}

extension FileStore {
    /// The subset of `hashes` that are listed for collection.
    package func listedForCollection(among hashes: [BlobHash]) async throws -> Set<BlobHash> {
        guard !hashes.isEmpty else { return [] }
        return try await database.read { db in
            Set(
                try db.fetchAll("SELECT blob FROM replaced_blob WHERE blob IN \(list: hashes)", as: String.self)
                    .compactMap { BlobHash($0) })
        }
    }

    /// Corrects the size of all files and media with a blob.
    /// - Parameter size: The actual size in bytes.
    package func setSize(_ size: Int64, ofBlob hash: BlobHash) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try db.execute("UPDATE file SET size = \(size) WHERE blob = \(hash)")
            try db.execute("UPDATE media SET size = \(size) WHERE blob = \(hash)")
            try db.execute("UPDATE media SET thumbnail_size = \(size) WHERE thumbnail = \(hash)")
            try db.log(.filePut, at: now)
        }
    }
}
