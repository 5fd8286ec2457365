import FeedAPI
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Single statuses, conversations and accounts from stored timelines.
@Suite(.hangLimit)
struct StoredConversationTests {
    private static func entry(_ id: Int, answering parent: Int?) throws -> TimelineEntry {
        let reply = parent.map { #","in_reply_to_id":"\#($0)""# } ?? ""
        let json = MediaServer.status("\(id)").dropLast() + reply + "}"
        let status = try JSONDecoder().decode(Entity.Status.self, from: Data(json.utf8))
        return TimelineEntry(status: status, json: Array(json.utf8))
    }

    private static func store(_ replies: [(Int, Int?)]) async throws -> OfflineStore {
        let store = try StoreFixture().open()
        let entries = try replies.map { try entry($0.0, answering: $0.1) }
        try await store.save(TimelineSegment(entries: entries), of: .home, now: 1)
        return store
    }

    @Test func conversationIsFoundInBothDirections() async throws {
        let store = try await Self.store([(9, 3), (8, nil), (7, 5), (5, 3), (3, 2), (2, 1)])
        let thread = try #require(try await store.thread(of: "3"))
        #expect(thread.items.map(\.entry.status.id) == ["2", "3", "5", "7", "9"])
        #expect(thread.items.map(\.depth) == [0, 0, 1, 2, 1])
        #expect(try await store.thread(of: "1") == nil)
    }

    @Test func circlesEnd() async throws {
        let store = try await Self.store([(3, 2), (2, 3)])
        #expect(try await store.thread(of: "3")?.items.map(\.entry.status.id) == ["2", "3"])
    }

    @Test func boostedStatusIsFound() async throws {
        let store = try StoreFixture().open()
        try await store.save(
            TimelineSegment(entries: [try StoreFixture.entry(5, boosting: 4)]), of: .home, now: 1)
        #expect(try await store.status("4")?.status.id == "4")
        #expect(try await store.status("5")?.status.reblog?.value.id == "4")
        #expect(try await store.status("6") == nil)
        #expect(try await store.account(named: "ADA")?.account.id == "1")
        #expect(try await store.account(named: "bob") == nil)
    }
}
