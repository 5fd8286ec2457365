import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// The facts about a database for `feedserver doctor`, and the probe of `/ready`.
@Suite(.hangLimit)
struct DatabaseDoctorTests {
    @Test(.onSQLite) func newFeedIsHealthy() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let status = try await store.post("hello", by: ada)
        let folder = store.folder.path + "/data"
        let facts = try DatabaseDoctor.sqlite(folder: folder)
        #expect(facts.hasContact == nil)
        #expect(try DatabaseDoctor.sqlite(folder: folder, contact: "ADA").hasContact == true)
        #expect(try DatabaseDoctor.sqlite(folder: folder, contact: "eve").hasContact == false)
        #expect(facts.engine.hasPrefix("SQLite 3.") && facts.damage == nil && !facts.isMigrationDue)
        #expect(facts.newest == status.id >> 16)
    }

    @Test(.onSQLite) func olderNewerForeignAndDamagedFilesAreTold() throws {
        let older = try TemporaryFolder()
        let pool = try DatabasePool(path: older.path + "/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: "8")
        try pool.close()
        #expect(try DatabaseDoctor.sqlite(folder: older.path, contact: "ada").hasContact == nil)
        // Nothing has been migrated.
        #expect(try DatabaseDoctor.sqlite(folder: older.path).isMigrationDue)

        let newer = try TemporaryFolder()
        try FeedDatabase(folder: newer.path, clock: TestClock().clock, version: "1").close()
        try DatabaseQueue(path: newer.path + "/feed.sqlite").write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')")
        }
        #expect(Self.refusal(newer)?.message.contains("newer version") == true)

        let foreign = try TemporaryFolder()
        try DatabaseQueue(path: foreign.path + "/feed.sqlite").write { try $0.execute(sql: "CREATE TABLE x (y)") }
        #expect(Self.refusal(foreign)?.message.contains("is not a feed") == true)

        let damaged = try TemporaryFolder()
        try Data(repeating: 0x41, count: 100_000).write(to: URL(fileURLWithPath: damaged.path + "/feed.sqlite"))
        #expect(Self.refusal(damaged)?.message.contains("is damaged") == true)
        #expect(Self.refusal(try TemporaryFolder())?.message.contains("cannot read") == true)
    }

    private static func refusal(_ folder: TemporaryFolder) -> FeedError? {
        do {
            _ = try DatabaseDoctor.sqlite(folder: folder.path)
            return nil
        } catch {
            return error as? FeedError
        }
    }

    @Test(.enabled(if: PostgresTests.isEnabled, "needs scripts/with-postgres")) func postgresIsHealthy() async throws {
        let store = try TestStore()
        _ = try await store.account("ada")
        // Not the template, which cannot be copied for other tests while anyone is connected to it.
        let name = try await store.database.read { db in
            try db.fetchOne("SELECT CAST(current_database() AS TEXT)", as: String.self)
        }
        let url = try PostgresAddress(PostgresTests.address(try #require(name)))
        let facts = try DatabaseDoctor.postgres(url, contact: "ADA")
        #expect(try facts?.hasContact == true && DatabaseDoctor.postgres(url, contact: "eve")?.hasContact == false)
        #expect(facts?.engine.hasPrefix("PostgreSQL 1") == true && facts?.isMigrationDue == false)
        #expect(try DatabaseDoctor.postgres(PostgresAddress(PostgresTests.address("postgres"))) == nil)
        #expect(throws: FeedError.self) {
            try DatabaseDoctor.postgres(PostgresAddress(PostgresTests.address("no_such_database")))
        }
    }

    @Test func probeWritesAndSizesAreCounted() async throws {
        let store = try TestStore()
        let folder = store.folder.path + "/data"
        let before = store.database.log.sequence
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await store.database.probe(folder: folder)
        // Cached pages stay valid.
        #expect(store.database.log.sequence == before)
        let ada = try await store.account("ada")
        for number in 0..<3 { try await store.post("post \(number)", by: ada) }
        for (name, hash) in [("a", "1"), ("b", "1"), ("c", "2")] as [(String, Character)] {
            let blob = Blob(hash: .starting("", hash), size: 100)
            _ = try await store.files.add(
                [StoredFile(name: name, ownerID: ada.id, blob: blob, type: "text/plain", modifiedAt: 0)], quota: nil)
        }
        let sizes = try await store.database.sizes()
        #expect(sizes.accounts == 1 && sizes.statuses == 3 && sizes.fileBytes == 200 && sizes.databaseBytes > 10_000)
    }

    @Test(.onSQLite) func probeFailsWithoutTheDatabaseFile() async throws {
        let store = try TestStore()
        let path = store.folder.path + "/data/feed.sqlite"
        try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        await #expect { try await store.database.probe(folder: store.folder.path + "/data") } throws: {
            ($0 as? FeedError)?.kind == .unavailable
        }
    }
}
