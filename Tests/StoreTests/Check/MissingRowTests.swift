import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// `feedserver check` on rows that name the newest of several others, or that others need, when some are missing.
@Suite(.hangLimit)
struct MissingRowTests {
    private static func check(_ store: TestStore, isRepairing: Bool = false) async throws -> [CheckFinding] {
        let snapshot = try store.database.snapshot()
        defer { snapshot.close() }
        return try await DatabaseCheck(store.database).values(in: snapshot, isRepairing: isRepairing) { _, _ in }
    }

    private static func rows(_ sql: String, _ store: TestStore) async throws -> [String] {
        try await store.database.read { db in try db.fetchAll(SQL(sql: sql)).map(\.description) }
    }

    /// Direct statuses of two people in one thread, the second of which a third person joins.
    private static func thread() async throws -> (store: TestStore, statuses: [Status]) {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        _ = try await store.account("cleo")
        let first = try await store.post("@bob one", by: ada, .direct)
        let second = try await store.post("@ada @cleo two", by: bob, .direct, replyTo: first.id)
        return (store, [first, second])
    }

    private static let conversations = """
        SELECT account_id, conversation_id, id, last_status_id FROM conversation ORDER BY account_id, conversation_id
        """

    @Test func missingConversationsAreFoundAndRepaired() async throws {
        let (store, statuses) = try await Self.thread()
        let before = try await Self.rows(Self.conversations, store)
        #expect(before.count == 3)
        try await store.database.commits.write { try $0.execute("DELETE FROM conversation") }
        let ids = statuses.map { "\($0.id)" }.joined(separator: ", ")
        let text = "statuses whose conversation is missing: 2 rows (id \(ids))"
        #expect(try await Self.check(store) == [CheckFinding(text, remedy: CheckFinding.repair)])
        #expect(
            try await Self.check(store, isRepairing: true) == [
                CheckFinding(text, remedy: CheckFinding.repair, isRepaired: true)
            ])
        #expect(try await Self.check(store) == [])
        #expect(try await Self.rows(Self.conversations, store) == before)
        for name in ["ada", "bob", "cleo"] {
            let account = try #require(try await store.accounts.account(named: name))
            let shown = try await store.conversations.conversations(of: account.id, page: Pagination(limit: 20))
            #expect(shown.entries.map(\.lastStatus?.id) == [statuses[1].id], "\(name)")
        }
    }

    @Test func wrongEndOfConversationsIsFoundAndRepaired() async throws {
        let (store, statuses) = try await Self.thread()
        let before = try await Self.rows(Self.conversations, store)
        let first = statuses[0].id
        try await store.database.commits.write { db in
            try db.execute("UPDATE conversation SET last_status_id = \(first)")
        }
        let found = try await Self.check(store)
        #expect(found.map(\.text) == ["wrong last_status_id of conversation: 1 rows (id \(first))"])
        #expect(try await Self.check(store, isRepairing: true).map(\.isRepaired) == [true])
        #expect(try await Self.check(store) == [])
        #expect(try await Self.rows(Self.conversations, store) == before)
    }

    @Test func groupsWithoutNotificationsAreRemoved() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.follows.follow(ada.id, by: bob.id)
        let status = try await store.post("one", by: ada)
        _ = try await store.statuses.set(.favourite, true, on: status.id, by: bob.id)
        try await store.database.commits.write { try $0.execute("DELETE FROM notification WHERE kind = 'follow'") }
        let groups = "SELECT kind, count FROM notification_group ORDER BY kind"
        #expect(try await Self.rows(groups, store).count == 2)
        let found = try await Self.check(store)
        #expect(
            found.map { String($0.text.prefix { $0 != ":" }) } == [
                "wrong count of notification_group", "empty groups of notifications",
            ])
        #expect(try await Self.check(store, isRepairing: true).map(\.isRepaired) == [true, true])
        #expect(try await Self.check(store) == [])
        #expect(try await Self.rows(groups, store).count == 1)
        #expect(try await store.groups(ada).entries.map(\.count) == [1])
    }

    /// The newest notification of a group decides where the group is listed.
    @Test func wrongNewestNotificationIsFoundAndRepaired() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let status = try await store.post("one", by: ada)
        _ = try await store.statuses.set(.favourite, true, on: status.id, by: bob.id)
        try await store.follows.follow(ada.id, by: bob.id)
        let before = try await store.groups(ada).entries.map(\.newestID)
        #expect(before.count == 2)
        try await store.database.commits.write { db in
            try db.execute("UPDATE notification_group SET newest_id = newest_id + 9000 WHERE kind = 'favourite'")
        }
        let found = try await Self.check(store)
        #expect(found.count == 1 && found.first?.text.hasPrefix("wrong newest_id of notification_group: 1 ") == true)
        _ = try await Self.check(store, isRepairing: true)
        #expect(try await Self.check(store) == [])
        #expect(try await store.groups(ada).entries.map(\.newestID) == before)
    }
}
