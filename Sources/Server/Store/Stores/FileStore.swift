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

    package func add(_ file: StoredFile) async throws -> StoredFile {
        try await database.commits.write { db in
            var file = file
            let wanted = file.name
            var number = 1
            while try Self.find(db, file.name) != nil {
                number += 1
                file.name = FileName.numbered(wanted, number)
            }
            try Self.store(file, in: db)
            return file
        }
    }
}

extension FileStore {
    private static let columns = "name, account_id, blob, size, type, modified_at"

    static func find(_ db: Database, _ name: String) throws -> StoredFile? {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM file WHERE name = ?")
        return try Row.fetchOne(statement, arguments: [name]).map(decode)
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
