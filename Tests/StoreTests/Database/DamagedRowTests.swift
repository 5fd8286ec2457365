import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// Rows with NULL or another type where a value is required: the error names the table and the column.
@Suite(.hangLimit)
struct DamagedRowTests {
    /// Removes the constraints of a table of a closed store, and changes its rows.
    private static func damage(_ table: String, _ folder: TemporaryFolder, sqlite: String, postgres: String)
        async throws
    {
        guard !PostgresTests.isEnabled else {
            let store = try TestStore(folder: folder)
            try await store.database.commits.write { try $0.execute(SQL(sql: postgres)) }
            return try store.database.close()
        }
        let path = folder.path + "/data/" + SQLiteDatabase.fileName
        for change in [
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(replace(sql, 'NOT NULL', ''), 'STRICT', '') WHERE name = '\(table)';
            PRAGMA schema_version = 9999
            """, sqlite,
        ] {
            let queue = try DatabaseQueue(path: path)
            try await queue.writeWithoutTransaction { try $0.execute(sql: change) }
            try queue.close()
        }
    }

    private static func cause(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? FeedError).flatMap { $0.kind == .storage ? $0.cause.map { "\($0)" } : nil }
        }
    }

    private static func posted() async throws -> TemporaryFolder {
        let store = try TestStore()
        _ = try await store.post("one", by: store.account("ada"))
        try store.database.close()
        return store.folder
    }

    @Test func nullIsRefused() async throws {
        let folder = try await Self.posted()
        try await Self.damage(
            "status", folder, sqlite: "UPDATE status SET content = NULL",
            postgres: """
                ALTER TABLE status ALTER COLUMN content DROP NOT NULL,
                    ALTER COLUMN content TYPE TEXT USING CAST(NULL AS TEXT)
                """)
        let store = try TestStore(folder: folder)
        let cause = await Self.cause {
            _ = try await store.timelines.timeline(.public, page: Pagination(limit: 5), for: nil)
        }
        #expect(cause == "status.content contains NULL, which cannot be read as String")
    }

    @Test func anotherTypeIsRefused() async throws {
        let folder = try await Self.posted()
        try await Self.damage(
            "account", folder, sqlite: "UPDATE account SET city = x'01'",
            postgres: """
                ALTER TABLE account ALTER COLUMN city DROP DEFAULT, ALTER COLUMN city TYPE BYTEA USING '1'::BYTEA
                """)
        let store = try TestStore(folder: folder)
        let cause = await Self.cause { _ = try await store.accounts.account(named: "ada") }
        #expect(cause == "account.city contains bytes, which cannot be read as String")
    }

    @Test func singleValuesOfAnotherTypeAreRefused() async throws {
        let store = try TestStore()
        _ = try await store.account("ada")
        let cause = await Self.cause {
            _ = try await store.database.read { try $0.fetchAll("SELECT username FROM account", as: Int64.self) }
        }
        #expect(cause == "account.username contains text, which cannot be read as Int64")
        let none = try await store.database.read {
            try $0.fetchOne("SELECT suspended_at FROM account", as: Int64.self)
        }
        #expect(none == nil)
        let nulls = try await store.database.read {
            try $0.fetchAll("SELECT suspended_at FROM account", as: Int64?.self)
        }
        #expect(nulls == [nil])
    }
}
