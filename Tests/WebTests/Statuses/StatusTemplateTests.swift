import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedWeb

/// A filled template must equal the JSON that the status would have been encoded as for the viewer.
@Suite(.hangLimit)
struct StatusTemplateTests {
    private static func expectEqual(_ test: TestServices, _ id: Int64, _ viewers: [Account]) async throws {
        let shared = try #require(
            try await test.store.statuses.shared(id: id, among: viewers.map(\.id)), "\(id) is missing")
        let entities = test.services.contexts.make(base: "http://feed.test")
        let template = StatusTemplate(shared.status, entities)
        for account in viewers {
            let viewer = FeedCore.Viewer(account: account, scopes: .all)
            let filters = try await test.services.contexts.filters.of(viewer, in: .home)
            let own = StatusTemplate.OwnFields(
                shared.status(for: account.id), viewer: account.id, matches: filters.matches(shared.status))
            var context = entities
            context.filters = filters
            let stored = try #require(try await test.store.statuses.status(id: id, for: account.id))
            var json = JSONWriter()
            json.status(stored, context, viewer: viewer)
            let (found, wanted) = (
                String(decoding: template.filled(with: own), as: UTF8.self), String(decoding: json.bytes, as: UTF8.self)
            )
            #expect(found == wanted, "for \(account.username)")
        }
        let stored = try #require(try await test.store.statuses.status(id: id, for: nil))
        var json = JSONWriter()
        json.status(stored, entities, viewer: nil)
        #expect(template.filled(with: .none) == json.bytes)
    }

    @Test func templatesEqualWhatEachViewerIsShown() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let (bob, _) = try await test.account("bob")
        let (cleo, _) = try await test.account("cleo")
        let store = test.store
        let status = try await store.post("hello #world <b>&", by: ada)
        _ = try await store.statuses.set(.favourite, true, on: status.id, by: bob.id)
        _ = try await store.statuses.set(.bookmark, true, on: status.id, by: bob.id)
        _ = try await store.statuses.set(.conversationMute, true, on: status.id, by: cleo.id)
        _ = try await store.statuses.set(.pin, true, on: status.id, by: ada.id)
        let boost = try await store.statuses.boost(status.id, visibility: nil, by: cleo.id)
        try await Self.expectEqual(test, status.id, [ada, bob, cleo])
        try await Self.expectEqual(test, boost.pageID, [ada, bob, cleo])
    }

    @Test func pollsContainTheVotesOfTheViewer() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let (bob, _) = try await test.account("bob")
        let (cleo, _) = try await test.account("cleo")
        let poll = PollDraft(options: ["one", "two", "three"], seconds: 3600, isMultiple: true)
        let status = try await test.store.post("which?", by: ada, poll: poll)
        _ = try await test.store.polls.vote([2, 0], in: status.id, by: bob.id)
        try await Self.expectEqual(test, status.id, [ada, bob, cleo])
        let boost = try await test.store.statuses.boost(status.id, visibility: nil, by: bob.id)
        try await Self.expectEqual(test, boost.pageID, [ada, bob, cleo])
    }

    /// More viewers than one query is asked for.
    @Test func manyViewersShareAStatus() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let status = try await test.store.post("hello", by: ada)
        _ = try await test.store.statuses.set(.favourite, true, on: status.id, by: ada.id)
        let viewers = [ada.id] + (1...2500).map { ada.id + Int64($0) }
        let shared = try #require(try await test.store.statuses.shared(id: status.id, among: viewers))
        #expect(shared.marks.count == 1 && shared.marks[ada.id]?.marks == [.favourite])
        #expect(try await test.store.statuses.shared(id: status.id + 1, among: viewers) == nil)
    }
}
