import FeedAPI
import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The results of searches for statuses.
@Suite(.hangLimit)
struct StatusSearchTests {
    private typealias Term = ResolvedSearch.Term

    @Test func termsAndTheirOppositesAreFound() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let texts = [
            "The quick brown fox", "quick foxes, brown", "Größe über ALLES", "東京都に住む", "c++ & café #Straße", "brown",
        ]
        for text in texts { try await store.post(text, by: author) }
        let cases: [([Term], [Int])] = [
            ([Term(.word("brown"))], [5, 1, 0]), ([Term(.word("quick")), Term(.word("fox"))], [0]),
            ([Term(.phrase(["quick", "brown"]))], [0]), ([Term(.phrase(["brown", "quick"]))], []),
            ([Term(.prefix("fox"))], [1, 0]), ([Term(.word("grosse"))], []), ([Term(.word("große"))], [2]),
            ([Term(.word("alles"))], [2]), ([Term(.prefix("都"))], [3]), ([Term(.word("東京"))], [3]),
            ([Term(.phrase(["東京", "京都"]))], [3]), ([Term(.phrase(["京都", "東京"]))], []),
            ([Term(.word("cafe"))], [4]), ([Term(.word("brown")), Term(.word("quick"), isExcluded: true)], [5]),
            ([Term(.word("brown"), isExcluded: true)], [4, 3, 2]),
            ([Term(.word("brown"), isExcluded: true), Term(.prefix("東"), isExcluded: true)], [4, 2]),
            ([Term(.word("brown")), Term(.phrase(["brown", "fox"]), isExcluded: true)], [5, 1]),
            ([Term(.word("and"))], []), ([Term(.word("facts"))], []), ([Term(.prefix("f\(author.id)"))], []),
        ]
        // SQLite compares recent statuses itself.
        for (viewer, isMerged) in [(nil, false), (author, false), (nil, true), (author, true)] {
            if isMerged { try await SearchIndexing(store.database).merge() }
            let ids = try await store.indexed().reversed() as [Int64]
            for (terms, expected) in cases {
                var query = ResolvedSearch()
                query.terms = terms
                #expect(try await store.found(query, by: viewer) == expected.map { ids[$0] }, "\(terms)")
            }
        }
    }

    @Test func allTextsOfAStatusAreSearched() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let image = try await store.image(by: author, "a heron in the reeds")
        try await store.post("morning", by: author, media: [image])
        try await store.post(
            "choose", by: author, poll: PollDraft(options: ["north coast", "south"], seconds: 300))
        var draft = StatusDraft(text: "https://example.org/walks/alps.html")
        (draft.spoilerText, draft.language) = ("long walk", "pt-BR")
        _ = try await StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
            .post(draft, by: author)
        let ids = try await store.indexed()
        for (text, place) in [("heron", 2), ("coast", 1), ("alps", 0), ("walk", 0)] {
            #expect(try await store.found(text, by: author) == [ids[place]], "\(text)")
        }
        // A phrase does not extend over two texts.
        let across = ResolvedSearch(terms: [Term(.phrase(["coast", "south"]))])
        #expect(try await store.found(across, by: author).isEmpty)
        let facts: [(SearchFact, [Int])] = [
            (.has(.media), [2]), (.has(.image), [2]), (.has(.video), []), (.has(.poll), [1]), (.has(.link), [0]),
            (.is(.sensitive), [0]), (.is(.reply), []), (.language("pt"), [0]), (.language("pt-br"), [0]),
            (.language("en"), []), (.author(author.id), [0, 1, 2]), (.author(7), []),
        ]
        for (fact, places) in facts {
            let found = try await store.found(ResolvedSearch(facts: [fact]), by: author)
            #expect(found == places.map { ids[$0] }, "\(fact)")
            let others = try await store.found(ResolvedSearch(excludedFacts: [fact]), by: author)
            #expect(others == ids.filter { !found.contains($0) }, "not \(fact)")
        }
    }

    @Test func repliesRemainReplies() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let parent = try await store.post("parent", by: author)
        let reply = try await store.post("reply", by: author, replyTo: parent.id)
        _ = try await store.statuses.delete(id: parent.id, by: author.id)
        try await store.edit(reply, to: "still a reply", by: author)
        #expect(try await store.found(ResolvedSearch(facts: [.is(.reply)]), by: author) == [reply.id])
    }

    @Test func changedDescriptionsAreFound() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let image = try await store.image(by: author, "heron")
        let status = try await store.post("morning", by: author, media: [image])
        var draft = MediaChanges()
        draft.description = "stork"
        _ = try await store.media.update(image.id, of: author.id, draft, quota: nil)
        #expect(try await store.found("heron", by: author).isEmpty)
        #expect(try await store.found("stork", by: author) == [status.id])
    }

    @Test(arguments: [true, false]) func pagesHaveNoGapsAndNoRepetitions(isIndexable: Bool) async throws {
        let store = try TestStore()
        let (author, other) = (try await store.account("author"), try await store.account("other"))
        try await store.follows.follow(author.id, by: other.id)
        try await store.setIndexable(author, isIndexable)
        var expected: [Int64] = []
        for number in 0..<60 {
            store.clock.now += 1000
            let visibility = Visibility.allCases[number % 4]
            let id = try await store.post("zebra \(number)", by: author, visibility).id
            if visibility != .direct { expected.insert(id, at: 0) }
        }
        let query = ResolvedSearch(words: "zebra")
        var (paged, last): ([Int64], Int64?) = ([], nil)
        while let page = Optional(try await store.found(query.limited(to: 7, below: last), by: other)), !page.isEmpty {
            (paged, last) = (paged + page, page.last)
        }
        #expect(paged == expected)
        let offsets = [0, 7, 14, 21, 28, 35, 42]
        for offset in offsets {
            let page = try await store.found(query.limited(to: 7, offset: offset), by: other)
            #expect(page == Array(expected.dropFirst(offset).prefix(7)))
        }
        var middle = query
        (middle.after, middle.before) = (store.clock.now - 39_000, store.clock.now - 19_000)
        #expect(try await store.found(middle, by: author).count == 20)
        (middle.minID, middle.maxID) = (expected[12], expected[10])
        (middle.after, middle.before) = (nil, nil)
        #expect(try await store.found(middle, by: other) == [expected[11]])
    }

    /// A search by somebody who follows many accounts has three parts, and none is read further than the others.
    @Test(arguments: [2, 3, 19]) func partsOfTheIndexAreMerged(interval: Int) async throws {
        let store = try TestStore()
        let (author, reader) = (try await store.account("author"), try await store.account("reader"))
        try await store.follows.follow(author.id, by: reader.id)
        for number in 0...StatusSearch.maximumAuthors {
            try await store.follows.follow(try await store.account("other\(number)").id, by: reader.id)
        }
        var expected: [Int64] = []
        for number in 0..<80 {
            let isDirect = number % (interval + 2) == 1
            let visibility: Visibility = isDirect ? .direct : number % interval == 0 ? .followers : .public
            let text = isDirect ? "@reader zebra" : "zebra"
            expected.insert(try await store.post(text, by: author, visibility).id, at: 0)
        }
        let query = ResolvedSearch(words: "zebra")
        var (paged, last): ([Int64], Int64?) = ([], nil)
        while let page = Optional(try await store.found(query.limited(to: 7, below: last), by: reader)), !page.isEmpty {
            (paged, last) = (paged + page, page.last)
        }
        #expect(paged == expected)
        #expect(try await store.found(query.limited(to: 80), by: reader) == expected)
    }

    /// Twice as many steps as for a page, whoever searches and whatever is hidden from them: entries that have moved to the
    /// other index are passed over until the index is merged.
    @Test(.onSQLite) func costOfEachQueryIsBounded() async throws {
        let store = try TestStore()
        let (author, reader) = (try await store.account("author"), try await store.account("reader"))
        for number in 0..<(3 * StatusSearch.maximumHits) {
            try await store.post("@reader zebra \(number)", by: author, Visibility.allCases[number % 4])
        }
        for number in 0...StatusSearch.maximumAuthors {
            try await store.follows.follow(try await store.account("other\(number)").id, by: reader.id)
        }
        try await store.mutes.mute(author.id, by: reader.id, Mute())
        let queries = [
            ResolvedSearch(words: "zebra"), ResolvedSearch(terms: [Term(.word("heron"), isExcluded: true)]),
            ResolvedSearch(facts: [.author(author.id)]),
        ]
        for isIndexable in [false, true] {
            try await store.setIndexable(author, isIndexable)
            try await SearchIndexing(store.database).run()
            for (viewer, query) in [nil, reader, author].flatMap({ viewer in queries.map { (viewer, $0) } }) {
                let steps = try await store.database.read { db in
                    var search = try StatusSearch(query.limited(to: 100), viewer: viewer?.id, now: 0, in: db)
                    var steps: [Int] = []
                    while search.needsMore { steps.append(try db.steps { try search.step(in: db) }) }
                    return steps
                }
                #expect(steps.max() ?? 0 < 2 * PageCost.bound, "\(viewer?.username ?? "-"): \(steps)")
            }
        }
    }

    /// Hits that the viewer may not see are passed over, however many there are.
    @Test func hiddenHitsAreNotCounted() async throws {
        let store = try TestStore()
        let (author, other) = (try await store.account("author"), try await store.account("other"))
        let first = try await store.post("zebra", by: author)
        for number in 0..<(2 * StatusSearch.maximumHits) { try await store.post("zebra \(number)", by: other) }
        let reader = try await store.account("reader")
        try await store.mutes.mute(other.id, by: reader.id, Mute())
        let found = try await store.search.statuses(ResolvedSearch(words: "zebra"), viewer: reader.id)
        #expect(found.statuses.map(\.id) == [first.id] && !found.isIncomplete)
    }
}
