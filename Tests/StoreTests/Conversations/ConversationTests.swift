import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// A conversation stays intact, and muted, whichever of its statuses are deleted.
@Suite(.hangLimit)
struct ConversationTests {
    /// The deleted statuses among the first three.
    @Test(arguments: [[0], [1], [2], [0, 1], [0, 1, 2]])
    func muteSurvivesDeletedStatuses(gone: [Int]) async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        var chain: [Status] = []
        for index in 0..<4 {
            chain.append(try await store.post("@bob \(index)", by: ada, replyTo: chain.last?.id))
        }
        _ = try await store.statuses.set(.conversationMute, true, on: chain[0].id, by: bob.id)
        for index in gone { _ = try await store.statuses.delete(id: chain[index].id, by: ada.id) }
        let earlier = try await Self.notificationCount(bob, store)
        let next = try await store.post("@bob and another thing", by: ada, replyTo: chain[3].id)
        #expect(try await Self.notificationCount(bob, store) == earlier)
        let shown = try #require(try await store.statuses.status(id: next.id, for: bob.id))
        #expect(shown.marks == [.conversationMute])
        let freed = try await store.statuses.set(.conversationMute, false, on: next.id, by: bob.id)
        #expect(freed.marks.isEmpty)
        try await store.post("@bob heard", by: ada, replyTo: next.id)
        #expect(try await Self.notificationCount(bob, store) == earlier + 1)
    }

    @Test func mutesAreRemovedWithTheConversation() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let first = try await store.post("one", by: ada)
        let second = try await store.post("two", by: ada, replyTo: first.id)
        _ = try await store.statuses.set(.conversationMute, true, on: second.id, by: ada.id)
        for (id, left) in [(first.id, 1), (second.id, 0)] {
            _ = try await store.statuses.delete(id: id, by: ada.id)
            let mutes = try await store.database.read {
                try $0.fetchOne("SELECT count(*) FROM conversation_mute", as: Int.self)
            }
            #expect(mutes == left)
        }
    }

    /// If a status is no longer visible, a conversation can be unmuted through it only if it was muted through it.
    @Test func hiddenStatusRevealsNothingAboutItsConversation() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let first = try await store.post("seen", by: ada)
        let secret = try await store.post("not seen", by: ada, .direct, replyTo: first.id)
        _ = try await store.statuses.set(.conversationMute, true, on: first.id, by: bob.id)
        try await store.blocks.block(bob.id, by: ada.id)
        await #expect(throws: FeedError.self) {
            try await store.statuses.set(.conversationMute, false, on: secret.id, by: bob.id)
        }
        let freed = try await store.statuses.set(.conversationMute, false, on: first.id, by: bob.id)
        #expect(freed.marks.isEmpty && freed.text.isEmpty)
    }

    /// The index of the parent of each of seven statuses, in file order.
    @Test(arguments: [
        [nil, 0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, nil], [3, 0, 1, nil, 3, 6, 4], [6, 0, 1, 5, 3, nil, 4],
    ])
    func importedRepliesFormOneConversation(targets: [Int?]) async throws {
        let store = try TestStore()
        let eve = try await store.account("eve")
        var lines = [#"{"kind":"account","username":"ada"}"#]
        for (index, target) in targets.enumerated() {
            lines.append(
                #"{"kind":"status","n":\#(index),"author":"ada","created_at":"2023-01-01T00:00:0\#(index)Z","text":"t\#(index)""#
                    + (target.map { #","in_reply_to":\#($0)"# } ?? "") + "}")
        }
        try await store.importLines(lines.joined(separator: "\n"))
        let all = try await store.timelines.timeline(.public, page: Pagination(limit: 40), for: eve.id).entries
        #expect(all.count == 7)
        _ = try await store.statuses.set(.conversationMute, true, on: all[3].id, by: eve.id)
        let muted = try await store.timelines.timeline(.public, page: Pagination(limit: 40), for: eve.id).entries
        #expect(muted.allSatisfy { $0.marks == [.conversationMute] })
    }

    /// A muted thread and an unrelated status.
    private static let old = """
        INSERT INTO account (id, username, username_key, created_at) VALUES (1, 'ada', 'ada', 1), (2, 'bob', 'bob', 1);
        INSERT INTO status (id, account_id, created_at, visibility, text, content, in_reply_to_id) VALUES
            (10, 1, 100, 0, 'x', 'x', NULL), (11, 1, 110, 0, 'x', 'x', 10), (12, 1, 120, 0, 'x', 'x', 11),
            (20, 1, 200, 0, 'x', 'x', NULL), (21, 1, 210, 0, 'x', 'x', 20);
        INSERT INTO conversation_mute (account_id, status_id) VALUES (2, 10);
        """

    @Test(.onSQLite) func migrationKeepsMutes() async throws {
        let folder = try TemporaryFolder()
        try SQLiteMigrations.makeFolder(folder.path + "/data", version: "3", Self.old)
        let store = try TestStore(folder: folder)
        _ = try await store.statuses.delete(id: 10, by: 1)
        var muted: [Int64] = []
        for id: Int64 in [11, 12, 20, 21] {
            let status = try await store.statuses.status(id: id, for: 2)
            if status?.marks == [.conversationMute] { muted.append(id) }
        }
        #expect(muted == [11, 12])
    }

    private static func notificationCount(_ account: Account, _ store: TestStore) async throws -> Int {
        try await store.notifications.notifications(of: account.id, page: Pagination(limit: 40), NotificationFilter())
            .entries.count
    }
}
