import GRDB

/// What is known about the pictures on disk: one row for each address. Used inside one access to the database, and only
/// there; whoever changes files holds the database's write lock, so that two processes never undo each other's work.
struct AvatarIndex {
    /// What the pictures on disk come to.
    struct Totals: Sendable {
        let count: Int
        let bytes: Int64
    }

    let db: Database
    let files: AvatarFiles

    /// The picture of an address. A row that cannot be used, or whose file cannot, goes.
    func entry(_ url: String) throws -> AvatarEntry? {
        let sql = "SELECT hash, type, etag, last_modified, fresh_until, size FROM avatar WHERE url = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [url]) else { return nil }
        if let entry = entry(from: row) { return entry }
        if let hash: String = Self.value(row, 0) { files.remove(hash) }
        try forget(url)
        return nil
    }

    /// Keeps a picture and makes room for it first, so that the limit holds at any time.
    /// - Parameters:
    ///   - used: When other addresses were used last, which decides what goes.
    ///   - limit: Bytes of all files; the picture must not be larger.
    func keep(_ entry: AvatarEntry, at url: String, usedAt: Int64, used: [String: Int64], limit: Int64) throws {
        do {
            try db.inTransaction(.immediate) {
                try touch(used)
                try put(entry, at: url, usedAt: usedAt, limit: limit)
                return .commit
            }
        } catch {
            // No bytes that nobody counts.
            if (try? isUsed(entry.hash)) != true { files.remove(entry.hash) }
            throw error
        }
    }

    /// Notes when addresses were used last.
    func touch(_ used: [String: Int64]) throws {
        let statement = try db.cachedStatement(sql: "UPDATE avatar SET last_used = ? WHERE url = ?")
        for (url, time) in used { try statement.execute(arguments: [time, url]) }
    }

    func forget(_ url: String) throws {
        try db.inTransaction(.immediate) {
            try remove(url)
            return .commit
        }
    }

    func removeAll() throws {
        try db.inTransaction(.immediate) {
            try db.execute(sql: "DELETE FROM avatar")
            _ = files.sweep(keeping: [])
            return .commit
        }
    }

    func totals() throws -> Totals {
        let sql = "SELECT count(*), coalesce(sum(size), 0) FROM (SELECT DISTINCT hash, size FROM avatar)"
        guard let row = try Row.fetchOne(db, sql: sql) else { return Totals(count: 0, bytes: 0) }
        return Totals(count: Self.value(row, 0) ?? 0, bytes: Self.value(row, 1) ?? 0)
    }

    /// Removes what was used longest ago until `size` more bytes fit, unless `hash` is there already.
    func makeRoom(for hash: String, size: Int64, limit: Int64) throws {
        var total = try totals().bytes
        while try total.addingSaturating(isUsed(hash) ? 0 : size) > limit, let oldest = try oldest() {
            total = try total.subtractingSaturating(remove(oldest))
        }
    }

    private func put(_ entry: AvatarEntry, at url: String, usedAt: Int64, limit: Int64) throws {
        let size = Int64(entry.bytes.count)
        if try !isUsed(entry.hash, at: url) || !files.has(entry.hash, size: size) {
            try remove(url)
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

    /// - Returns: The bytes that are free now: none while another address has the same picture.
    @discardableResult
    private func remove(_ url: String) throws -> Int64 {
        let sql = "SELECT hash, size FROM avatar WHERE url = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [url]) else { return 0 }
        try db.execute(sql: "DELETE FROM avatar WHERE url = ?", arguments: [url])
        guard let hash: String = Self.value(row, 0), try !isUsed(hash) else { return 0 }
        files.remove(hash)
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

    /// `nil` instead of a trap when a damaged file holds something else.
    private static func value<Value: DatabaseValueConvertible>(_ row: Row, _ index: Int) -> Value? {
        let value: DatabaseValue = row[index]
        return Value.fromDatabaseValue(value)
    }
}
