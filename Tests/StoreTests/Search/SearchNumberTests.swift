import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The numbers by which FTS5 knows statuses.
@Suite(.hangLimit, .onSQLite)
struct SearchNumberTests {
    /// FTS5 stores the differences between the numbers of statuses.
    @Test func numbersAreCloseToEachOther() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        for number in 0..<100 {
            store.clock.now += 86_400_000
            try await store.post("zebra \(number)", by: author)
        }
        let query: SQL = "SELECT max(number) - min(number) FROM status_search"
        #expect(try await store.database.read { try $0.fetchOne(query, as: Int64.self) } == 99 * 16)
        try await store.database.commits.write { try SearchIndexing.restart(in: $0) }
        try await SearchIndexing(store.database, page: 50).run()
        let spread = try await store.database.read { try $0.fetchOne(query, as: Int64.self) }
        #expect(try #require(spread) < 1 << 17)
    }

    private static func insert(_ ids: [Int64], _ author: Account, _ store: TestStore) async throws {
        try await store.database.commits.write { db in
            for id in ids {
                try db.execute(
                    """
                    INSERT INTO status (id, account_id, created_at, visibility, text, content)
                    VALUES (\(id), \(author.id), 1, 0, 'zebra', '<p>zebra</p>')
                    """)
            }
            try SearchIndexing.request(in: db)
        }
        try await SearchIndexing(store.database).run()
    }

    /// However many statuses are older than those of the import.
    @Test(arguments: [(15, 0), (16, 500), (300, 500)])
    func fewStatusesLeaveTheIndexForAnImportInOnePlace(count: Int, removed: Int) async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let ids = (1...3000).map { Int64($0) * 1000 }
        try await Self.insert(ids, author, store)
        try await store.database.commits.write { db in
            try db.execute("CREATE TABLE removed (id INTEGER)")
            try db.execute(
                """
                CREATE TRIGGER count_removed AFTER DELETE ON status_search
                BEGIN INSERT INTO removed VALUES (OLD.status_id); END
                """)
        }
        let imported = (1...count).map { ids[2998] + Int64($0) }
        try await Self.insert(imported, author, store)
        try await store.database.read { db in
            #expect(try db.fetchOne("SELECT count(*) FROM removed", as: Int.self) == removed)
            let ordered = try db.fetchAll("SELECT status_id FROM status_search ORDER BY number", as: Int64.self)
            #expect(ordered == (ids + imported).sorted())
        }
    }

    /// FTS5 would otherwise write a part of the index for each of them.
    @Test(arguments: [1, 2, 300]) func newStatusesAreRecentAfterTheNewestHaveLeft(count: Int) async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let old = (1...300).map { Int64($0) * 1000 }
        try await Self.insert(old, author, store)
        try await SearchIndexing(store.database).merge()
        try await store.database.commits.write { try StatusIndex.remove(old.suffix(count), in: $0) }
        let new = try await store.post("zebra", by: author).id
        try await store.database.read { db in
            let number = try db.fetchOne("SELECT number FROM status_search WHERE status_id = \(new)", as: Int64.self)
            let recent = try db.fetchOne("SELECT value FROM meta WHERE key = 'search_recent'", as: String.self)
            let first = try #require(recent.flatMap { Int64($0) })
            #expect(try #require(number) >= first)
        }
        #expect(try await store.found("zebra", by: author).first == new)
    }
}
