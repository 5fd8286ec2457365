import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// Backups by versions that had no media, or no still images.
@Suite(.hangLimit, .onSQLite)
struct OldBackupTests {
    @Test(arguments: ["15", "23"]) func referencesOfAnOldBackupAreFound(version: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/old.sqlite"
        let pool = try DatabasePool(path: path)
        try SQLiteMigrations.run(on: pool, upTo: version)
        let (file, avatar) = (String(repeating: "1f", count: 32), String(repeating: "2f", count: 32))
        try await pool.write { db in
            try db.execute(
                sql:
                    "INSERT INTO account (id, username, username_key, avatar, created_at) VALUES (7, 'ada', 'ada', ?, 1)",
                arguments: [avatar])
            try db.execute(
                sql: "INSERT INTO file (name, blob, size, type, modified_at) VALUES ('a', ?, 7, 'text/plain', 1)",
                arguments: [file])
        }
        try pool.close()
        let backup = try DatabaseBackup(path: path)
        defer { backup.close() }
        var found: [BlobReference] = []
        try await BlobReferences.forEachPage(in: backup) { found += $0 }
        #expect(found.map(\.hash.description) == [file, avatar])
        #expect(try await BlobReferences.bytes(in: backup) == 7)
        #expect(try await BlobReferences.hashes(prefix: 0x2F, in: backup).map(\.description) == [avatar])
    }
}
