package import FeedCore

extension FileStore {
    package func used(among hashes: [BlobHash]) async throws -> Set<BlobHash> {
        try await database.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM file WHERE blob = ?1)
                    OR EXISTS (SELECT 1 FROM account WHERE avatar = ?1)
                    OR EXISTS (SELECT 1 FROM account WHERE header = ?1)
                    OR EXISTS (SELECT 1 FROM account WHERE avatar_static = ?1)
                    OR EXISTS (SELECT 1 FROM account WHERE header_static = ?1)
                    OR EXISTS (SELECT 1 FROM media WHERE blob = ?1)
                    OR EXISTS (SELECT 1 FROM media WHERE thumbnail = ?1)
                    """)
            return try Set(hashes.filter { try Bool.fetchOne(statement, arguments: [$0]) ?? true })
        }
    }

    package func replaced(of account: Int64?, limit: Int) async throws -> [ReplacedBlob] {
        try await database.read { db in
            let condition: SQL = account.map { "WHERE account_id = \($0)" } ?? ""
            return try db.fetchAll("SELECT id, blob FROM replaced_blob \(condition) ORDER BY id LIMIT \(limit)")
                .map { ReplacedBlob(id: $0[0], hash: BlobHash($0[1])) }
        }
    }

    package func forget(_ replaced: [ReplacedBlob]) async throws {
        guard !replaced.isEmpty else { return }
        try await database.commits.write(freesSpace: true) { db in
            let statement = try db.cachedStatement(sql: "DELETE FROM replaced_blob WHERE id = ?")
            for blob in replaced { try statement.execute(arguments: [blob.id]) }
        }
    }

    package func recordUnused(_ blobs: [Blob], of account: Int64?) async throws {
        try await database.commits.write { db in
            for blob in blobs { try Self.recordReplaced(blob, of: account, in: db) }
        }
    }

    /// Records that a name no longer refers to `blob`; another name still may.
    static func recordReplaced(_ blob: Blob, of account: Int64?, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO replaced_blob (blob, account_id, size) VALUES (?, ?, ?)")
            .execute(arguments: [blob.hash, account, blob.size])
    }
}
