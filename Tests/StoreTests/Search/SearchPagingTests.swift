import FeedAPI
import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// Where the pages of a search end, and where the next ones begin.
@Suite(.hangLimit)
struct SearchPagingTests {
    private static func page(
        _ store: TestStore, _ viewer: Account, below maxID: Int64? = nil, offset: Int = 0
    ) async throws -> FoundStatuses {
        let request = StatusSearchRequest(query: SearchQuery("zebra"), maxID: maxID, offset: offset)
        return try await store.search.statuses(request, on: "feed.test", limit: 5, viewer: viewer.id)
    }

    /// - Returns: The ids, newest first: of a public status, one for followers, a public one and so on.
    private static func post(pairs: Int, by author: Account, _ store: TestStore) async throws -> [Int64] {
        var ids: [Int64] = []
        for _ in 0..<pairs {
            ids.insert(try await store.post("zebra", by: author, .followers).id, at: 0)
            ids.insert(try await store.post("zebra", by: author).id, at: 0)
        }
        return ids
    }

    /// Of accounts that follow many, more statuses of strangers match than are read for a page.
    @Test func pagesHaveNoGapsWhereTooManyHitsAreHidden() async throws {
        let store = try TestStore()
        let (author, reader) = (try await store.account("author"), try await store.account("reader"))
        try await store.follows.follow(author.id, by: reader.id)
        for number in 0..<StatusSearch.maximumAuthors {
            try await store.follows.follow(try await store.account("other\(number)").id, by: reader.id)
        }
        let older = try await Self.post(pairs: 3, by: author, store)
        let stranger = try await store.account("stranger")
        for _ in 0...StatusSearch.maximumOthers { try await store.post("zebra", by: stranger, .direct) }
        let newer = try await Self.post(pairs: 1, by: author, store)

        let first = try await Self.page(store, reader)
        #expect(first.statuses.map(\.id) == newer && first.isIncomplete)
        let second = try await Self.page(store, reader, below: first.older)
        #expect(second.statuses.map(\.id) == Array(older.prefix(5)) && !second.isIncomplete)
        let third = try await Self.page(store, reader, below: second.older)
        #expect(third.statuses.map(\.id) == [older[5]] && third.older == nil && !third.isIncomplete)
        // A page that would be empty contains what everyone finds.
        for page in [
            try await Self.page(store, reader, below: newer[1]), try await Self.page(store, reader, offset: 2),
        ] {
            #expect(page.statuses.map(\.id) == [older[0], older[2], older[4]] && page.isIncomplete)
        }
    }

    /// A search ends after a number of hits, even if its reader has muted the author of all of them.
    @Test func searchContinuesBelowHiddenHits() async throws {
        let store = try TestStore()
        let (author, muted) = (try await store.account("author"), try await store.account("muted"))
        let reader = try await store.account("reader")
        let older = try await Self.post(pairs: 1, by: author, store)
        for _ in 0..<100 { try await store.post("zebra", by: muted) }
        try await store.mutes.mute(muted.id, by: reader.id, Mute())
        for offset in [0, 1] {
            let query = ResolvedSearch(words: "zebra").limited(to: 1, offset: offset)
            let search = try await store.database.read { db in
                try StatusSearch(query, viewer: reader.id, now: 0, in: db).continued(in: db)
            }
            let first = try await store.search.page(of: search, viewer: reader.id)
            #expect(first.statuses.isEmpty && first.isIncomplete)
            guard offset == 0 else {
                // The next page would not know how many matches it has to leave out.
                #expect(first.older == nil)
                continue
            }
            let next = try #require(first.older)
            let second = try await Self.page(store, reader, below: next)
            #expect(second.statuses.map(\.id) == [older[0]] && second.older == nil && !second.isIncomplete)
        }
    }

    /// Statuses may be deleted after a search has found them: some of a page, all of it, or the first of the next one.
    @Test(arguments: [[1], [0, 1], [2]]) func pageWithDeletedStatusesLeadsToTheNext(places: [Int]) async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let ids = try await Self.post(pairs: 2, by: author, store)
        let query = ResolvedSearch(words: "zebra").limited(to: 2)
        let search = try await store.database.read { db in
            try StatusSearch(query, viewer: author.id, now: 0, in: db).continued(in: db)
        }
        for place in places { _ = try await store.statuses.delete(id: ids[place], by: author.id) }
        let page = try await store.search.page(of: search, viewer: author.id)
        #expect(page.statuses.map(\.id) == [0, 1].filter { !places.contains($0) }.map { ids[$0] })
        #expect(page.older == ids[1] && !page.isIncomplete)
    }
}
