import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// Imported direct statuses belong to conversations, which appear together with them.
@Suite(.hangLimit)
struct ConversationImportTests {
    private static let lines = """
        {"kind":"account","username":"ada"}
        {"kind":"account","username":"bob"}
        {"kind":"status","n":3,"author":"ada","created_at":"2023-01-03T00:00:00Z","text":"@bob three","visibility":"direct","in_reply_to":2}
        {"kind":"status","n":1,"author":"ada","created_at":"2023-01-01T00:00:00Z","text":"@bob one","visibility":"direct"}
        {"kind":"status","n":2,"author":"bob","created_at":"2023-01-02T00:00:00Z","text":"@ada two","visibility":"direct","in_reply_to":1}
        """

    private static func shown(_ account: Account, _ store: TestStore) async throws -> [String] {
        let page = try await store.conversations.conversations(of: account.id, page: Pagination(limit: 20))
        return page.entries.map { "\($0.lastStatus?.text ?? "") \($0.isUnread)" }
    }

    @Test func importedStatusesAreOneReadConversation() async throws {
        let store = try TestStore()
        try await store.importLines(Self.lines)
        for name in ["ada", "bob"] {
            let account = try #require(try await store.accounts.account(named: name))
            #expect(try await Self.shown(account, store) == ["@bob three false"])
        }
        #expect(try await AccountDeletionWorld.wrongConversationsAndUses(store) == [])
    }

    @Test func nothingChangesUntilTheImportIsPublished() async throws {
        let store = try TestStore()
        try await store.importLines(Self.lines)
        let bob = try #require(try await store.accounts.account(named: "bob"))
        let more = """
            {"kind":"status","n":1,"author":"ada","created_at":"2023-01-01T00:00:00Z","text":"@bob one","visibility":"direct"}
            {"kind":"status","n":4,"author":"ada","created_at":"2023-01-04T00:00:00Z","text":"@bob four","visibility":"direct","in_reply_to":1}
            {"kind":"status","n":5,"author":"ada","created_at":"2023-01-05T00:00:00Z","text":"@bob new","visibility":"direct"}
            """
        for isPublished in [false, true] {
            let session = try await ImportSession.begin(in: store.database)
            try await session.add(try TestStore.records(more))
            #expect(try await Self.shown(bob, store) == ["@bob three false"])
            if isPublished { _ = try await session.publish() } else { _ = try await session.abandon() }
            #expect(try await AccountDeletionWorld.wrongConversationsAndUses(store) == [])
        }
        #expect(try await Self.shown(bob, store) == ["@bob new false", "@bob four false"])
    }

    @Test func recentHashtagsAreCounted() async throws {
        let store = try TestStore()
        store.clock.now = 1_700_000_000_000
        try await store.importLines(
            """
            {"kind":"account","username":"ada"}
            {"kind":"account","username":"bob"}
            {"kind":"status","author":"ada","created_at":"2023-11-14T01:00:00Z","text":"#tag #Other"}
            {"kind":"status","author":"ada","created_at":"2023-11-14T02:00:00Z","text":"#TAG"}
            {"kind":"status","author":"bob","created_at":"2023-11-14T03:00:00Z","text":"#tag"}
            {"kind":"status","author":"bob","created_at":"2023-11-14T04:00:00Z","text":"#tag"}
            {"kind":"status","author":"ada","created_at":"2023-11-10T02:00:00Z","text":"#tag"}
            {"kind":"status","author":"ada","created_at":"2023-11-10T03:00:00Z","text":"#tag","visibility":"unlisted"}
            {"kind":"status","author":"ada","created_at":"2023-01-01T00:00:00Z","text":"#tag"}
            """)
        let histories = try await store.tags.histories(of: ["tag", "other"])
        #expect(histories.map { $0.uses.map(\.uses) } == [[4, 0, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 0]])
        #expect(histories.map { $0.uses.map(\.accounts) } == [[2, 0, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 0]])
    }
}
