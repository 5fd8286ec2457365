import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import Synchronization
import TestKit
import Testing

@testable import FeedStore

/// Counts commits; used only on the writer's queue.
private final class CommitCounter: TransactionObserver, Sendable {
    private let count = Mutex(0)

    var commits: Int { count.withLock { $0 } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: GRDB.Database) { count.withLock { $0 += 1 } }
    func databaseDidRollback(_ db: GRDB.Database) {}
}

@Suite(.hangLimit)
struct DatabaseTests {
    @Test(.onSQLite) func everyCommitIsSynced() throws {
        let store = try TestStore()
        let (synchronous, mode, keys) = try #require(store.database.sqlite).pool.writeWithoutTransaction { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
            )
        }
        #expect(synchronous == 2)
        #expect(mode == "wal")
        #expect(keys == 1)
    }

    @Test(.onSQLite) func connectionsShareTheMemoryForPages() async throws {
        let folder = try TemporaryFolder()
        let caches = CacheBudget(total: 96 << 20)
        let database = try FeedDatabase(folder: folder.path, clock: TestClock().clock, version: "1", caches: caches)
        let pool = try #require(database.sqlite).pool
        let expected = -(caches.page(ofConnections: SQLiteDatabase.readerCount + 1) >> 10)
        let sql = "PRAGMA cache_size"
        #expect(try await database.read { try $0.fetchOne(SQL(sql: sql), as: Int.self) } == expected)
        #expect(try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: sql) } == expected)
        try database.close()
    }

    @Test func idsIncreaseWhateverTheClockDoes() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var last: Int64 = 0
        for step: Int64 in [0, 5, 5, -100_000, 0, 1, 100_000] {
            store.clock.now += step
            let status = try await store.post("x", by: ada)
            #expect(status.id > last)
            last = status.id
        }
        #expect(last >> 16 == store.clock.now)
    }

    /// Keeps the writer busy until `count` more writes wait, which then share one transaction.
    private static func batch(
        _ count: Int, in store: TestStore, _ add: (inout ThrowingTaskGroup<Void, any Error>) -> Void
    ) async throws {
        let (hasBegun, mayEnd) = (Latch(), Latch())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await store.database.commits.write { db in
                    try db.execute("INSERT INTO meta (key, value) VALUES ('busy', 'x')")
                    hasBegun.open()
                    try mayEnd.block()
                }
            }
            try await hasBegun.wait()
            add(&group)
            while store.database.commits.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
            mayEnd.open()
            try await group.waitForAll()
        }
    }

    @Test(.onSQLite) func waitingWritersShareOneCommit() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let counter = CommitCounter()
        try #require(store.database.sqlite).pool.add(transactionObserver: counter, extent: .databaseLifetime)
        try await Self.batch(200, in: store) { group in
            for index in 0..<200 { group.addTask { try await store.post("post \(index)", by: ada) } }
        }
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 200)
        #expect(counter.commits == 2)
    }

    @Test(.onSQLite) func failureInABatchDoesNotAffectTheOthers() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let counter = CommitCounter()
        try #require(store.database.sqlite).pool.add(transactionObserver: counter, extent: .databaseLifetime)
        try await Self.batch(3, in: store) { group in
            for text in ["before", "after"] { group.addTask { try await store.post(text, by: ada) } }
            group.addTask {
                let error = await #expect(throws: FeedError.self) {
                    try await store.database.commits.write { db in
                        try db.execute("INSERT INTO meta (key, value) VALUES ('half', 'x')")
                        throw FeedError.notFound
                    }
                }
                #expect(error?.kind == .notFound)
            }
        }
        #expect(counter.commits == 2)
        #expect(try await store.database.meta("half") == nil)
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 2)
    }

    /// SQLite itself ends a transaction after some errors. Then nothing of the batch is stored.
    @Test(.onSQLite) func batchWhoseTransactionEndsFails() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await Self.batch(2, in: store) { group in
            group.addTask { await #expect(throws: FeedError.self) { try await store.post("lost", by: ada) } }
            group.addTask {
                await #expect(throws: FeedError.self) {
                    try await store.database.commits.write { db in
                        try db.execute("INSERT OR ROLLBACK INTO meta (key, value) VALUES ('busy', 'y')")
                    }
                }
            }
        }
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 0)
        try await store.post("stored", by: ada)
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 1)
    }

    @Test func newVersionRenewsTheEpoch() async throws {
        let folder = try TemporaryFolder()
        let first = try TestStore(folder: folder, version: "1")
        let epoch = try await first.changes.position().epoch
        try first.database.close()
        let same = try TestStore(folder: folder, version: "1")
        #expect(try await same.changes.position().epoch == epoch)
        try same.database.close()
        #expect(try await TestStore(folder: folder, version: "2").changes.position().epoch != epoch)
    }

    @Test(.onSQLite) func foreignNewerAndDamagedFilesAreRejected() throws {
        let foreign = try TemporaryFolder()
        try DatabaseQueue(path: foreign.path + "/feed.sqlite").write { try $0.execute(sql: "CREATE TABLE x (y)") }
        #expect(Self.hint(foreign)?.contains("another folder") == true)

        let newer = try TemporaryFolder()
        try FeedDatabase(folder: newer.path, clock: TestClock().clock, version: "1").close()
        try DatabaseQueue(path: newer.path + "/feed.sqlite").write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')")
        }
        #expect(Self.hint(newer)?.contains("Install that version") == true)

        let damaged = try TemporaryFolder()
        try Data(repeating: 0x41, count: 100_000).write(to: URL(fileURLWithPath: damaged.path + "/feed.sqlite"))
        #expect(Self.hint(damaged)?.contains("backup") == true)
    }

    private static func hint(_ folder: TemporaryFolder) -> String? {
        do {
            _ = try FeedDatabase(folder: folder.path, clock: TestClock().clock, version: "1")
            return nil
        } catch {
            return (error as? FeedError)?.hint
        }
    }
}
