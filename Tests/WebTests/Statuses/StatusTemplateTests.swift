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
        // The cache counts the bytes.
        #expect(template.bytes.capacity < template.bytes.count + 64)
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
        let boost = try await store.boosts.boost(status.id, visibility: nil, by: cleo.id)
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
        let boost = try await test.store.boosts.boost(status.id, visibility: nil, by: bob.id)
        try await Self.expectEqual(test, boost.pageID, [ada, bob, cleo])
    }

    /// Pages of encoded statuses equal pages that are read and encoded for the viewer.
    @Test func pagesContainEncodedStatuses() async throws {
        let test = try TestServices()
        var people: [Account] = []
        for name in ["ada", "bob", "cleo"] { people.append(try await test.account(name).account) }
        try await Self.fill(test.store, people)
        let (templates, entities) = (test.services.templates, test.services.contexts.make(base: "http://feed.test"))
        let viewers = people.map(Optional.some) + [nil]
        for round in 0..<3 {
            for viewer in viewers.map({ $0.map { FeedCore.Viewer(account: $0, scopes: .all) } }) {
                let timelines =
                    [Timeline.public, .account(people[0].id)] + (viewer.map { [.home($0.account.id)] } ?? [])
                for timeline in timelines {
                    let account = viewer?.account.id
                    var context = entities
                    context.filters = try await test.services.contexts.filters.of(viewer, in: timeline.filterContext)
                    let found = try await templates.page(
                        timeline, Pagination(limit: 20), base: entities.base, viewer: account, context.filters,
                        sources: TimelineSources())
                    let stored = try await test.store.timelines.timeline(
                        timeline, page: Pagination(limit: 20), for: account)
                    var json = JSONWriter()
                    json.statuses(stored.entries, context, viewer: viewer)
                    let wanted = String(decoding: json.bytes, as: UTF8.self)
                    let name = "\(timeline) for \(viewer?.account.username ?? "nobody"), round \(round)"
                    #expect(String(decoding: found.json.bytes, as: UTF8.self) == wanted, "\(name)")
                    #expect(found.newest == stored.newest && found.oldest == stored.oldest, "\(name)")
                    let dependencies = CacheInvalidation(
                        stored, of: timeline, Pagination(limit: 20), sources: TimelineSources(), viewer: account)
                    #expect(found.dependencies == dependencies, "\(name)")
                }
            }
        }
        let newest = try await test.store.timelines.timeline(.public, page: Pagination(limit: 20), for: nil).entries
        let keys = newest.map { StatusJSONCache.Key(base: entities.base, id: $0.id) }
        let kept = templates.cache.values(for: keys, at: test.store.database.log.sequence)
        #expect(!kept.isEmpty && kept.allSatisfy { $0 != nil })
    }

    /// A status of each kind, with marks, votes and a boost. bob follows ada and has a filter.
    private static func fill(_ store: TestStore, _ people: [Account]) async throws {
        let (ada, bob, cleo) = (people[0], people[1], people[2])
        try await store.follows.follow(ada.id, by: bob.id)
        let status = try await store.post("hello #world <b>&", by: ada)
        for visibility in Visibility.allCases { _ = try await store.post("@bob to you", by: ada, visibility) }
        _ = try await store.post("an answer", by: cleo, replyTo: status.id)
        let poll = PollDraft(options: ["one", "two"], seconds: 3600)
        let question = try await store.post("which?", by: ada, poll: poll)
        _ = try await store.polls.vote([1], in: question.id, by: bob.id)
        for mark in [StatusMark.favourite, .bookmark] {
            _ = try await store.statuses.set(mark, true, on: status.id, by: bob.id)
        }
        _ = try await store.statuses.set(.conversationMute, true, on: status.id, by: cleo.id)
        _ = try await store.statuses.set(.pin, true, on: status.id, by: ada.id)
        for id in [status.id, question.id] { _ = try await store.boosts.boost(id, visibility: nil, by: bob.id) }
        var filter = FilterDraft(title: "answers")
        filter.contexts = [.home, .public]
        filter.keywords = [FilterDraft.Keyword(text: "answer", isWholeWord: true)]
        _ = try await store.filters.create(filter, by: bob.id)
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
