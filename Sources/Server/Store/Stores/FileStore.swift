package import FeedCore
import GRDB

/// Names of stored files, in SQLite.
package struct FileStore: FileStoring {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func file(named name: String) async throws -> StoredFile? {
        try await database.read { try Self.find($0, name) }
    }

    package func put(
        _ file: StoredFile, replacing decide: @escaping @Sendable (StoredFile?) throws -> Void
    ) async throws -> Bool {
        try await database.commits.write { db in
            let present = try Self.find(db, file.name)
            try decide(present)
            try Self.store(file, in: db)
            return present == nil
        }
    }

    package func add(_ files: [StoredFile]) async throws -> [StoredFile] {
        try await database.commits.write { db in try files.map { try Self.add($0, in: db) } }
    }

    package func files(of account: Int64, after: String?, limit: Int) async throws -> [StoredFile] {
        try await database.read { db in
            let sql = "SELECT \(Self.columns) FROM file WHERE account_id = ? AND name > ? ORDER BY name LIMIT ?"
            return try Row.fetchAll(db, sql: sql, arguments: [account, after ?? "", limit]).map(Self.decode)
        }
    }
}

extension FileStore {
    private static let columns = "name, account_id, blob, size, type, modified_at"

    static func find(_ db: Database, _ name: String) throws -> StoredFile? {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM file WHERE name = ?")
        return try Row.fetchOne(statement, arguments: [name]).map(decode)
    }

    private static func add(_ wanted: StoredFile, in db: Database) throws -> StoredFile {
        var file = wanted
        var number = 1
        while try find(db, file.name) != nil {
            number += 1
            file.name = FileName.numbered(wanted.name, number)
        }
        try store(file, in: db)
        return file
    }

    private static func store(_ file: StoredFile, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO file (\(columns)) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET blob = excluded.blob, size = excluded.size, type = excluded.type,
                modified_at = excluded.modified_at
                """
        ).execute(arguments: [
            file.name, file.ownerID, file.blob.hash, file.blob.size, file.type, file.modifiedAt,
        ])
        try db.log(.filePut, account: file.ownerID, at: file.modifiedAt)
    }

    private static func decode(_ row: Row) -> StoredFile {
        StoredFile(
            name: row[0], ownerID: row[1], blob: Blob(hash: row[2], size: row[3]), type: row[4], modifiedAt: row[5])
    }
}
