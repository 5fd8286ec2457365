import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// `feedserver check` on the daily use of hashtags.
@Suite(.hangLimit)
struct TagCheckTests {
    private static func check(_ store: TestStore, isRepairing: Bool = false) async throws -> [CheckFinding] {
        let snapshot = try store.database.snapshot()
        defer { snapshot.close() }
        return try await TagCheck(database: store.database).findings(in: snapshot, isRepairing: isRepairing)
    }

    private static func rows(_ store: TestStore) async throws -> [String] {
        try await store.database.read { db in
            try db.fetchAll("SELECT tag, day, uses, accounts FROM tag_day ORDER BY day, tag").map(
                \.description)
        }
    }

    /// Two days with hashtags in public and in other statuses.
    private static func live() async throws -> TestStore {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        for _ in 0..<2 {
            for author in [ada, bob] { try await store.post("#tag #other", by: author) }
            try await store.post("#tag #unlisted", by: ada, .unlisted)
            store.clock.now += TagUse.milliseconds
        }
        let gone = try await store.post("#gone", by: ada)
        _ = try await store.statuses.delete(id: gone.id, by: ada.id)
        return store
    }

    @Test(arguments: [
        "DELETE FROM tag_day WHERE tag = 'tag'", "UPDATE tag_day SET uses = 7 WHERE tag = 'tag'",
        "UPDATE tag_day SET accounts = accounts - 1 WHERE tag = 'tag'",
        "UPDATE tag_day SET tag = 'moved' WHERE tag = 'gone'; UPDATE tag_day SET uses = 1 WHERE tag = 'moved'",
    ])
    func wrongUsesAreFoundAndRepaired(damage: String) async throws {
        let store = try await Self.live()
        let before = try await Self.rows(store)
        #expect(before.count == 5)
        #expect(try await Self.check(store) == [])
        try await store.database.commits.write { db in
            for sql in damage.split(separator: ";") { try db.execute(SQL(sql: String(sql))) }
        }
        let found = try await Self.check(store)
        #expect(found.count == 1 && found.first?.text.contains("tag_day") == true && found.first?.isRepaired == false)
        #expect(try await Self.check(store, isRepairing: true).map(\.isRepaired) == [true])
        #expect(try await Self.check(store) == [])
        // Where nothing is counted, a row with 0 may be absent.
        #expect(try await Self.rows(store).filter { !$0.contains("gone") } == before.filter { !$0.contains("gone") })
    }

    /// No history shows these days, and the server does not count them.
    @Test func oldDaysAreNotCompared() async throws {
        let store = try await Self.live()
        try await store.database.commits.write { try $0.execute("UPDATE tag_day SET uses = 7") }
        store.clock.now += TagHistory.days * TagUse.milliseconds
        #expect(try await Self.check(store) == [])
    }

    /// An author with many statuses that are not public may be counted twice; see `Database.countUses`.
    @Test func authorsCountedTwiceAreAccepted() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.post("#tag", by: ada)
        for _ in 0..<101 { try await store.post("#tag", by: ada, .unlisted) }
        try await store.post("#tag", by: ada)
        let history = try #require(try await store.tags.histories(of: ["tag"]).first)
        #expect(history.uses[0].accounts == 2)
        #expect(try await Self.check(store) == [])
        try await store.database.commits.write { try $0.execute("UPDATE tag_day SET uses = uses + 1") }
        #expect(try await Self.check(store).count == 1)
    }

    /// An import counts its hashtags after it has been published, so the counts cannot be checked until then.
    @Test func nothingIsReportedDuringAnImport() async throws {
        let store = try await Self.live()
        try await store.database.commits.write { try $0.execute("UPDATE tag_day SET uses = 7") }
        let session = try await ImportSession.begin(in: store.database)
        #expect(try await Self.check(store) == [])
        _ = try await session.abandon()
        #expect(try await Self.check(store).count == 1)
    }
}
