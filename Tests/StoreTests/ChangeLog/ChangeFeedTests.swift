import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite("The change feed", .hangLimit) struct ChangeFeedTests {
    @Test func feedHasEachKindOfEvent() async throws {
        let world = try await FeedFixture()
        let (ada, bob) = (world.ada, world.bob)
        let kept = try await world.store.post("kept", by: ada)
        let status = try await world.store.post("@bob hello", by: ada)
        try await world.edit(status, "@bob hello again")
        let boost = try await world.store.boosts.boost(kept.id, visibility: nil, by: ada.id)
        _ = try await world.store.boosts.unboost(kept.id, by: ada.id)
        let direct = try await world.store.post("@bob secret", by: ada, .direct)
        _ = try await world.store.conversations.markRead(direct.id, of: bob.id)
        var filter = FilterDraft(title: "filter", contexts: [.home])
        filter.keywords = [.init(text: "word")]
        let made = try await world.store.filters.create(filter, by: bob.id)
        _ = try await world.store.statuses.delete(id: status.id, by: ada.id)
        let found = try await world.all(bob)
        // Only the deletions remain of the deleted status and the removed boost.
        let events: [StreamEventType] = [
            .update, .delete, .update, .notification, .conversation, .filtersChanged, .delete,
        ]
        try #require(found.map(\.event) == events)
        #expect(
            [0, 1, 2, 4, 5, 6].map { found[$0].id } == [
                kept.id, boost.pageID, direct.id, direct.id, made.id, status.id,
            ])
        #expect(found.map { $0.status?.text } == ["kept", nil, "@bob secret", nil, nil, nil, nil])
        #expect(try await world.all(world.cleo).map(\.event) == [.update, .delete, .delete])
        // Positions ascend, and each belongs to its row.
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.position.sequence < $1.position.sequence })
    }

    @Test func replayShowsTheStateOfNow() async throws {
        let world = try await FeedFixture()
        let status = try await world.store.post("first", by: world.ada)
        try await world.edit(status, "second")
        let found = try await world.all(world.bob)
        #expect(found.map(\.event) == [.update, .statusUpdate])
        #expect(found.map { $0.status?.text } == ["second", "second"])
    }

    @Test func pagesContinueWhereTheLastOneEnded() async throws {
        let world = try await FeedFixture()
        var ids: [Int64?] = []
        for number in 0..<25 { ids.append(try await world.store.post("post \(number)", by: world.ada).id) }
        var (seen, cursor): ([Int64?], ChangeCursor) = ([], world.start)
        while true {
            let page = try await world.page(world.bob, cursor, limit: 4)
            #expect(page.entries.count <= 4 && page.entries.last.map { $0.position == page.position } ?? true)
            seen += page.entries.map(\.id)
            cursor = ChangeCursor(epoch: page.position.epoch, sequence: page.position.sequence)
            if !page.hasMore { break }
        }
        #expect(seen == ids)
        let end = try await world.page(world.bob, cursor, limit: 4)
        #expect(end.entries.isEmpty && !end.hasMore && end.position.sequence == cursor.sequence)
    }

    /// A page examines a limited number of rows, whether or not they concern the account.
    @Test func examinedRowsAreLimited() async throws {
        let world = try await FeedFixture()
        for _ in 0..<12 { try await world.store.post("secret", by: world.ada, .direct) }
        let status = try await world.store.post("hello", by: world.ada)
        let first = try await world.page(world.bob, world.start, limit: 5, rows: 10)
        #expect(first.entries.isEmpty && first.examined == 10 && first.hasMore)
        #expect(first.position.sequence > world.start.sequence)
        let cursor = ChangeCursor(sequence: first.position.sequence)
        let second = try await world.page(world.bob, cursor, limit: 5, rows: 10)
        #expect(second.entries.map(\.id) == [status.id] && !second.hasMore)
    }

    @Test func positionsThatCannotBeReplayedGetOneResync() async throws {
        let world = try await FeedFixture()
        try await world.store.post("hello", by: world.ada)
        let window = try await world.store.streams.window()
        for cursor in [
            ChangeCursor(sequence: window.last + 1), ChangeCursor(sequence: .max),
            ChangeCursor(epoch: "other", sequence: window.last),
        ] {
            let page = try await world.page(world.bob, cursor)
            #expect(page.entries.map(\.event) == [.resync] && page.entries[0].id == nil && !page.hasMore)
            #expect(page.position == window.end && page.entries[0].position == window.end)
            let next = try await world.page(
                world.bob, ChangeCursor(epoch: page.position.epoch, sequence: page.position.sequence))
            #expect(next.entries.isEmpty)
        }
        let present = try await world.store.streams.feed(
            since: nil, limit: 40, maximumRows: 1000, for: world.bob.id)
        #expect(present.entries.isEmpty && present.position == window.end)
    }

    /// Rows are removed by their time, and times do not always increase.
    @Test func removedRowsCauseAResync() async throws {
        let world = try await FeedFixture()
        try await world.store.post("one", by: world.ada)
        let kept = try await world.store.streams.window().last
        world.store.clock.now -= 10_000
        try await world.store.post("two", by: world.ada)
        world.store.clock.now += 20_000
        try await world.store.post("three", by: world.ada)
        let pruned = try await world.store.changes.prune(before: world.store.clock.now - 15_000)
        #expect(pruned > 0)
        let window = try await world.store.streams.window()
        #expect(window.floor > kept && window.floor < window.last)
        #expect(try await world.page(world.bob, ChangeCursor(sequence: kept)).entries.map(\.event) == [.resync])
        let rest = try await world.page(world.bob, ChangeCursor(sequence: window.floor))
        #expect(rest.entries.map { $0.status?.text } == ["three"])
    }

    @Test func newestRowOutlivesItsTime() async throws {
        let world = try await FeedFixture()
        let end = try await world.store.streams.window().end
        while try await world.store.changes.prune(before: .max) > 0 {}
        let window = try await world.store.streams.window()
        #expect(window.end == end && window.floor == end.sequence - 1)
    }

    @Test func hiddenAuthorsAreLeftOut() async throws {
        let world = try await FeedFixture()
        let (ada, bob) = (world.ada, world.bob)
        try await world.store.post("one", by: ada)
        try await world.store.mutes.mute(ada.id, by: bob.id, Mute())
        #expect(try await world.all(bob).isEmpty)
        try await world.store.mutes.unmute(ada.id, by: bob.id)
        #expect(try await world.all(bob).count == 1)
        try await world.store.blocks.block(ada.id, by: bob.id)
        #expect(try await world.all(bob).isEmpty)
        try await world.store.blocks.unblock(ada.id, by: bob.id)
        try await world.store.blocks.block(bob.id, by: ada.id)
        #expect(try await world.all(bob).isEmpty)
        _ = try await world.store.moderation.perform(.suspend, on: ada.id)
        #expect(try await world.all(world.cleo).isEmpty)
    }
}

extension FeedFixture {
    func page(
        _ viewer: Account, _ cursor: ChangeCursor, limit: Int = 200, rows: Int = 1000
    ) async throws -> ChangeFeedPage {
        try await store.streams.feed(since: cursor, limit: limit, maximumRows: rows, for: viewer.id)
    }

    /// All that an account learns since the start.
    func all(_ viewer: Account) async throws -> [ChangeFeedPage.Entry] { try await page(viewer, start).entries }

    func edit(_ status: Status, _ text: String) async throws {
        store.clock.now += 1000
        var draft = StatusDraft(text: text)
        draft.visibility = status.visibility
        _ = try await StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
            .edit(status.id, to: draft, by: status.account)
    }
}
