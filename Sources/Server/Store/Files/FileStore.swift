package import FeedCore

/// Stores the names of files in the database; their bytes are stored as blobs.
package struct FileStore: Sendable {
    let database: FeedDatabase
    /// Recently requested files, because a download in ranges requests the same name repeatedly.
    private let recent: ChangeLogCache<String, StoredFile?>

    package init(_ database: FeedDatabase) {
        self.database = database
        recent = ChangeLogCache(log: database.log, limit: database.caches[.files], name: "files")
    }

    /// The file with a name, unless its owner is suspended.
    package func file(named name: String) async throws -> StoredFile? {
        // The key, the name in the value and the hash; what does not exist is kept, too.
        try await recent.value(for: name, cost: { _ in 512 + 2 * name.utf8.count }) { [database] in
            var dependencies = CacheInvalidation()
            dependencies.onFiles = true
            return (try await database.read { try Self.visible($0, name) }, dependencies)
        }
    }

    /// The file with a name, regardless of its owner.
    package func fileToReplace(named name: String) async throws -> StoredFile? {
        try await database.read { try Self.find($0, name) }
    }

    /// Stores or replaces a file in one transaction.
    /// - Parameters:
    ///   - quota: The owner's quota in bytes; `nil` for no limit.
    ///   - decide: Inspects the existing file, if any, and throws to refuse the change.
    /// - Returns: Whether the name is new.
    /// - Throws: ``FeedError`` `.quota`, and any error thrown by `decide`.
    package func put(
        _ file: StoredFile, quota: Int64?, replacing decide: @escaping @Sendable (StoredFile?) throws -> Void
    ) async throws -> Bool {
        try await database.commits.write { db in
            if let owner = file.ownerID { try db.requireActiveAccount(owner) }
            let existing = try Self.find(db, file.name)
            try decide(existing)
            try Self.quota(quota, of: file.ownerID, in: db).check(file.blob.size, replacing: existing?.blob.size ?? 0)
            if let existing { try Self.recordReplaced(existing.blob, of: existing.ownerID, in: db) }
            try Self.store(file, in: db)
            return existing == nil
        }
    }

    /// Stores all files in one transaction, renaming those whose name is taken to `name-2.ext`, `name-3.ext` and so on.
    /// - Parameter quota: The owner's quota in bytes; `nil` for no limit.
    /// - Returns: The files with their final names.
    /// - Throws: ``FeedError`` `.quota`.
    package func add(_ files: [StoredFile], quota: Int64?) async throws -> [StoredFile] {
        try await database.commits.write { db in
            if let owner = files.first?.ownerID { try db.requireActiveAccount(owner) }
            let size = files.reduce(0) { $0 + $1.blob.size }
            try Self.quota(quota, of: files.first?.ownerID, in: db).check(size)
            return try files.map { try Self.add($0, in: db) }
        }
    }

    /// Removes the name unless `decide` throws. The blob is listed as replaced.
    /// - Returns: Whether there was such a file.
    package func delete(
        named name: String, _ decide: @escaping @Sendable (StoredFile) throws -> Void
    ) async throws -> Bool {
        let now = database.clock.now()
        return try await database.commits.write(freesSpace: true) { db in
            guard let file = try Self.find(db, name) else { return false }
            try decide(file)
            try db.execute("DELETE FROM file WHERE name = \(name)")
            try Self.recordReplaced(file.blob, of: file.ownerID, in: db)
            try db.log(.fileDeleted, account: file.ownerID, at: now)
            return true
        }
    }

    /// The total size in bytes of an account's files and media, and of its replaced blobs that are not yet collected.
    package func bytes(of account: Int64) async throws -> Int64 {
        try await database.read { try Self.bytes(of: account, in: $0) }
    }

    /// An account's files sorted by name, starting after the name `after`.
    /// - Parameter part: A part of the names, of which the case of ASCII letters does not matter.
    package func files(
        of account: Int64, after: String?, containing part: String = "", limit: Int
    ) async throws -> [StoredFile] {
        let pattern = "%" + part.asciiLowercased.replacing(/[!%_]/) { "!" + $0.output } + "%"
        return try await database.read { db in
            let sql: SQL = """
                SELECT \(sql: Self.columns) FROM file WHERE account_id = \(account) AND name > \(after ?? "")
                AND (\(part) = '' OR lower(name) LIKE \(pattern) ESCAPE '!')
                ORDER BY name LIMIT \(limit)
                """
            return try db.fetchAll(sql).map(Self.decode)
        }
    }
}

extension FileStore {
    private enum Column: Int, EntityColumn { case name, accountID, blob, size, type, modifiedAt }

    private static let columns = Column.list(of: "file")

    static func find(_ db: Database, _ name: String) throws -> StoredFile? {
        let query: SQL = "SELECT \(sql: columns) FROM file WHERE name = \(name)"
        return try db.fetchOne(query).map(decode)
    }

    /// The file, unless its owner is suspended.
    private static func visible(_ db: Database, _ name: String) throws -> StoredFile? {
        let file = try find(db, name)
        guard let owner = file?.ownerID else { return file }
        return try AccountStore.find(db, id: owner)?.suspendedAt == nil ? file : nil
    }

    private static func bytes(of account: Int64, in db: Database) throws -> Int64 {
        let query: SQL = """
            SELECT CAST((SELECT coalesce(sum(size), 0) FROM file WHERE account_id = \(account))
            + (SELECT coalesce(sum(size + thumbnail_size), 0) FROM media WHERE account_id = \(account))
            + (SELECT coalesce(sum(size), 0) FROM replaced_blob WHERE account_id = \(account)) AS BIGINT)
            """
        return try db.fetchOne(query, as: Int64.self) ?? 0
    }

    /// The quota of an account; unlimited for anonymous uploads, which have no owner.
    static func quota(_ limit: Int64?, of owner: Int64?, in db: Database) throws -> StorageQuota {
        guard let limit, let owner else { return StorageQuota(limit: nil, used: 0) }
        return StorageQuota(limit: limit, used: try bytes(of: owner, in: db))
    }

    /// The maximum number of names to try. The next number is usually free; it is taken only if a client or an older
    /// version of the server has chosen that name.
    private static let attempts = 50

    private static func add(_ wanted: StoredFile, in db: Database) throws -> StoredFile {
        guard try find(db, wanted.name) != nil else {
            try store(wanted, in: db)
            return wanted
        }
        let series = FileNameSeries(wanted.name)
        let (name, number) = try freeName(in: series, db)
        var file = wanted
        file.name = name
        try store(file, in: db)
        try db.execute("UPDATE file SET series = \(series.key), number = \(number) WHERE name = \(file.name)")
        return file
    }

    /// The first free name after the last number of the series. The cost does not depend on the length of the series.
    static func freeName(in series: FileNameSeries, _ db: Database) throws -> (name: String, number: Int64?) {
        let query: SQL = "SELECT max(number) FROM file WHERE series = \(series.key)"
        let last = try db.fetchOne(query, as: Int64.self) ?? 1
        let first = min(max(last, 1), FileNameSeries.maximumNumber) + 1
        for number in first..<first + Int64(attempts) where number <= FileNameSeries.maximumNumber {
            let name = series.name(number)
            if try find(db, name) == nil { return (name, number) }
        }
        var random = SystemRandomNumberGenerator()
        return (series.randomName(using: &random), nil)
    }

    private static func store(_ file: StoredFile, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO file (name, account_id, blob, size, type, modified_at)
            VALUES (\(file.name), \(file.ownerID), \(file.blob.hash), \(file.blob.size), \(file.type), \(file.modifiedAt))
            ON CONFLICT (name) DO UPDATE SET blob = excluded.blob, size = excluded.size, type = excluded.type,
            modified_at = excluded.modified_at
            """)
        try db.log(.filePut, account: file.ownerID, at: file.modifiedAt)
    }

    private static func decode(_ row: Row) throws -> StoredFile {
        let row = EntityRow(row, Column.self)
        return try StoredFile(
            name: row[.name], ownerID: row[.accountID], blob: Blob(hash: row[.blob], size: row[.size]),
            type: row[.type], modifiedAt: row[.modifiedAt])
    }
}

extension FileStore {
    /// The subset of `hashes` that files, media or accounts refer to.
    package func used(among hashes: [BlobHash]) async throws -> Set<BlobHash> {
        try await database.read { db in
            let query = """
                SELECT EXISTS (SELECT 1 FROM file WHERE blob = ?1)
                OR EXISTS (SELECT 1 FROM account WHERE avatar = ?1)
                OR EXISTS (SELECT 1 FROM account WHERE header = ?1)
                OR EXISTS (SELECT 1 FROM account WHERE avatar_static = ?1)
                OR EXISTS (SELECT 1 FROM account WHERE header_static = ?1)
                OR EXISTS (SELECT 1 FROM media WHERE blob = ?1)
                OR EXISTS (SELECT 1 FROM media WHERE thumbnail = ?1)
                """
            return try Set(hashes.filter { try db.fetchOne(SQL(sql: query, [$0.sqlValue]), as: Bool.self) ?? true })
        }
    }

    /// Blobs of replaced and deleted files that are not yet collected, oldest first.
    /// - Parameter account: Only blobs of this account; `nil` for all.
    package func replaced(of account: Int64?, limit: Int) async throws -> [ReplacedBlob] {
        try await database.read { db in
            let condition: SQL = account.map { "WHERE account_id = \($0)" } ?? ""
            return try db.fetchAll("SELECT id, blob FROM replaced_blob \(condition) ORDER BY id LIMIT \(limit)")
                .map { try ReplacedBlob(id: $0[0], hash: BlobHash($0[1] as String)) }
        }
    }

    /// Removes the records of collected blobs.
    package func forget(_ replaced: [ReplacedBlob]) async throws {
        guard !replaced.isEmpty else { return }
        try await database.commits.write(freesSpace: true) { db in
            for blob in replaced { try db.execute("DELETE FROM replaced_blob WHERE id = \(blob.id)") }
        }
    }

    /// Lists blobs that were published, but whose names could not be stored, as replaced.
    package func recordUnused(_ blobs: [Blob], of account: Int64?) async throws {
        try await database.commits.write { db in
            for blob in blobs { try Self.recordReplaced(blob, of: account, in: db) }
        }
    }

    /// Records that a name no longer refers to `blob`; another name still may.
    static func recordReplaced(_ blob: Blob, of account: Int64?, in db: Database) throws {
        try db.execute(
            "INSERT INTO replaced_blob (blob, account_id, size) VALUES (\(blob.hash), \(account), \(blob.size))")
    }
}

extension FileStore {
    /// Stores the names of published blobs. If `store` fails, the blobs are listed as replaced, so that the maintenance
    /// removes them.
    package func recordingUnused<Value>(
        _ files: [StoredFile], _ store: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await store()
        } catch {
            try? await recordUnused(files.map(\.blob), of: files.first?.ownerID)
            throw error
        }
    }
}

extension String {
    /// As SQL's `lower` on both engines.
    fileprivate var asciiLowercased: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}
