import GRDB

extension AvatarIndex {
    /// The tables' version; an index of another one is dropped.
    private static let version = 1

    /// Makes or checks the tables, and brings files, rows and limit together. Inside a transaction.
    /// - Throws: `DatabaseError` `.SQLITE_CORRUPT` or `.SQLITE_ERROR` when it is no index of ours.
    func prepare(limit: Int64) throws {
        guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 { try create() }
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Self.version else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        // Throws when a column is missing.
        _ = try Row.fetchOne(
            db, sql: "SELECT url, hash, type, etag, last_modified, fresh_until, size, last_used FROM avatar LIMIT 0")
        try dropDamage(limit: limit)
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

    /// Removes rows that are damaged in what decides about the room that is left.
    private func dropDamage(limit: Int64) throws {
        try db.execute(
            sql: """
                DELETE FROM avatar
                WHERE typeof(url) <> 'text' OR typeof(hash) <> 'text' OR typeof(size) <> 'integer'
                    OR size NOT BETWEEN 0 AND ?
                """, arguments: [limit])
    }

    /// Files without a row go, and rows without a file.
    private func sweep() throws {
        let kept = try Set(String.fetchAll(db, sql: "SELECT DISTINCT hash FROM avatar"))
        for hash in kept.subtracting(files.sweep(keeping: kept)) {
            try db.execute(sql: "DELETE FROM avatar WHERE hash = ?", arguments: [hash])
        }
    }
}
