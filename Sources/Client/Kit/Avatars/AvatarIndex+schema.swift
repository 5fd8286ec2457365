import GRDB

extension AvatarIndex {
    /// The version of the schema; an index with another version is discarded.
    private static let version = 1

    /// Creates or checks the tables, and reconciles them with the files and the limit. Requires a transaction.
    /// - Throws: `DatabaseError` `.SQLITE_CORRUPT` or `.SQLITE_ERROR` if the file is not a valid index;
    ///   ``FeedClientError`` `.disk` if the files cannot be listed.
    func prepare(limit: Int64) throws {
        guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 { try create() }
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Self.version else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        // Throws if a column does not exist.
        _ = try Row.fetchOne(
            db, sql: "SELECT url, hash, type, etag, last_modified, fresh_until, size, last_used FROM avatar LIMIT 0")
        try removeDamagedRows(limit: limit)
        try sweep()
        try makeRoom(for: "", size: 0, limit: limit)
    }

    private func create() throws {
        try db.execute(
            sql: """
                CREATE TABLE avatar (
                    url TEXT PRIMARY KEY NOT NULL,
                    hash TEXT NOT NULL,
                    type TEXT NOT NULL,
                    etag TEXT,
                    last_modified TEXT,
                    fresh_until INTEGER NOT NULL,
                    size INTEGER NOT NULL,
                    last_used INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX avatar_hash ON avatar (hash, size);
                CREATE INDEX avatar_last_used ON avatar (last_used);
                PRAGMA user_version = \(Self.version);
                """)
    }

    /// Removes rows with invalid values in the columns that determine the free space.
    private func removeDamagedRows(limit: Int64) throws {
        try db.execute(
            sql: """
                DELETE FROM avatar
                WHERE typeof(url) <> 'text' OR typeof(hash) <> 'text' OR typeof(size) <> 'integer'
                    OR size NOT BETWEEN 0 AND ?
                """, arguments: [limit])
    }

    /// Removes files without a row, and rows without a file.
    private func sweep() throws {
        let kept = try Set(String.fetchAll(db, sql: "SELECT DISTINCT hash FROM avatar"))
        for hash in try kept.subtracting(files.sweep(keeping: kept)) {
            try db.execute(sql: "DELETE FROM avatar WHERE hash = ?", arguments: [hash])
        }
    }
}
