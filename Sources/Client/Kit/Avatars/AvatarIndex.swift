import GRDB

/// The index of the pictures on disk, with one row per URL. A value is valid only within one database access. Files
/// change only under the database's write lock, so that processes do not interfere with each other.
struct AvatarIndex {
    /// The number and size of all pictures.
    struct Totals: Sendable {
        let count: Int
        let bytes: Int64
    }

    let db: Database
    let files: AvatarFiles

    /// The picture of a URL. A row that is damaged, or whose file is damaged, is removed.
    /// - Throws: `DatabaseError`; ``FeedClientError`` `.disk` if a damaged file cannot be removed.
    func entry(_ url: String) throws -> AvatarEntry? {
        let sql = "SELECT hash, type, etag, last_modified, fresh_until, size FROM avatar WHERE url = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [url]) else { return nil }
        if let entry = entry(from: row) { return entry }
        if let hash: String = Self.value(row, 0) { try files.remove(hash) }
        try remove(url)
        return nil
    }

    /// All URLs, one for each picture: several URLs may have the same file.
    func urls() throws -> [String] {
        try String.fetchAll(db, sql: "SELECT min(url) FROM avatar GROUP BY hash")
    }

    /// Whether the picture of a URL is intact, or was evicted meanwhile. A damaged picture is removed at all its URLs.
    func isIntact(_ url: String) throws -> Bool {
        let hash = try String.fetchOne(db, sql: "SELECT hash FROM avatar WHERE url = ?", arguments: [url])
        guard let hash, try entry(url) == nil else { return true }
        for other in try String.fetchAll(db, sql: "SELECT url FROM avatar WHERE hash = ?", arguments: [hash]) {
            try remove(other)
        }
        return false
    }

    /// Stores a picture. Evicts others first, so that the limit is never exceeded.
    /// - Parameters:
    ///   - otherUses: The times at which other pictures were last used, which determine the order of eviction.
    ///   - limit: The total size of all files in bytes; the picture must not be larger.
    func store(
        _ entry: AvatarEntry, at url: String, usedAt: Int64, otherUses: [String: Int64], limit: Int64
    ) throws {
        do {
            try db.inTransaction(.immediate) {
                try recordUses(otherUses)
                try insert(entry, at: url, usedAt: usedAt, limit: limit)
                return .commit
            }
        } catch {
            // A file without a row would not count toward the limit.
            if (try? isUsed(entry.hash)) != true { try? files.remove(entry.hash) }
            throw error
        }
    }

    /// Updates the times at which pictures were last used.
    func recordUses(_ uses: [String: Int64]) throws {
        let statement = try db.cachedStatement(sql: "UPDATE avatar SET last_used = ? WHERE url = ?")
        for (url, time) in uses { try statement.execute(arguments: [time, url]) }
    }

    func remove(_ url: String) throws {
        try db.inTransaction(.immediate) {
            try delete(url)
            return .commit
        }
    }

    func removeAll() throws {
        try db.inTransaction(.immediate) {
            try db.execute(sql: "DELETE FROM avatar")
            _ = try files.sweep(keeping: [])
            return .commit
        }
    }

    func totals() throws -> Totals {
        let sql = "SELECT count(*), coalesce(sum(size), 0) FROM (SELECT DISTINCT hash, size FROM avatar)"
        guard let row = try Row.fetchOne(db, sql: sql) else { return Totals(count: 0, bytes: 0) }
        return Totals(count: Self.value(row, 0) ?? 0, bytes: Self.value(row, 1) ?? 0)
    }

    /// Evicts the least recently used pictures until `size` more bytes fit, unless the file `hash` already exists.
    func makeRoom(for hash: String, size: Int64, limit: Int64) throws {
        var total = try totals().bytes
        while try total.addingSaturating(isUsed(hash) ? 0 : size) > limit, let oldest = try oldest() {
            total = try total.subtractingSaturating(delete(oldest))
        }
    }

    private func insert(_ entry: AvatarEntry, at url: String, usedAt: Int64, limit: Int64) throws {
        let size = Int64(entry.bytes.count)
        if try !isUsed(entry.hash, at: url) || !files.exists(entry.hash, size: size) {
            try delete(url)
            try makeRoom(for: entry.hash, size: size, limit: limit)
            try files.store(entry.bytes, named: entry.hash)
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO avatar (url, hash, type, etag, last_modified, fresh_until, size, last_used)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                url, entry.hash, entry.type.rawValue, entry.etag, entry.lastModified, entry.freshUntil, size, usedAt,
            ])
    }

    /// - Returns: The number of freed bytes; 0 if another URL has the same picture.
    @discardableResult
    private func delete(_ url: String) throws -> Int64 {
        let sql = "SELECT hash, size FROM avatar WHERE url = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [url]) else { return 0 }
        try db.execute(sql: "DELETE FROM avatar WHERE url = ?", arguments: [url])
        guard let hash: String = Self.value(row, 0), try !isUsed(hash) else { return 0 }
        // A file that cannot be removed must keep its row, because it counts toward the limit.
        try files.remove(hash)
        return Self.value(row, 1) ?? 0
    }

    private func oldest() throws -> String? {
        try String.fetchOne(db, sql: "SELECT url FROM avatar ORDER BY last_used, url LIMIT 1")
    }

    private func isUsed(_ hash: String) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM avatar WHERE hash = ? LIMIT 1", arguments: [hash]) != nil
    }

    private func isUsed(_ hash: String, at url: String) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM avatar WHERE url = ? AND hash = ?", arguments: [url, hash]) != nil
    }

    private func entry(from row: Row) -> AvatarEntry? {
        guard let hash: String = Self.value(row, 0), let name: String = Self.value(row, 1),
            let type = AvatarType(rawValue: name), let freshUntil: Int64 = Self.value(row, 4),
            let size: Int64 = Self.value(row, 5), let bytes = files.bytes(hash, size: size)
        else { return nil }
        return AvatarEntry(
            hash: hash, type: type, bytes: bytes, etag: Self.value(row, 2), lastModified: Self.value(row, 3),
            freshUntil: freshUntil)
    }

    /// The value of a column; `nil` instead of a trap if a damaged file contains another type.
    private static func value<Value: DatabaseValueConvertible>(_ row: Row, _ index: Int) -> Value? {
        let value: DatabaseValue = row[index]
        return Value.fromDatabaseValue(value)
    }
}

extension AvatarIndex {
    /// The version of the schema; an index with another version is discarded.
    private static let version = 1

    /// Creates or checks the tables, removes what has not been used since a time, and reconciles the rest with the files
    /// and the limit. Requires a transaction.
    /// - Throws: `DatabaseError` `.SQLITE_CORRUPT` or `.SQLITE_ERROR` if the file is not a valid index;
    ///   ``FeedClientError`` `.disk` if the files cannot be listed.
    func prepare(limit: Int64, usedSince time: Int64) throws {
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
        try db.execute(sql: "DELETE FROM avatar WHERE last_used < ?", arguments: [time])
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
