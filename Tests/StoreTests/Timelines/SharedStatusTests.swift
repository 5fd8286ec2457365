import FeedCore
import FeedTestSupport
import Testing

@testable import FeedStore

/// Pages share the statuses that they show, but not what depends on the viewer. `CachedPageWalkTests` compares pages that
/// share statuses with those that do not.
@Suite(.timeLimit(.minutes(15)))
struct SharedStatusTests {
    private static let page = Pagination(limit: 40)

    /// The SQLite virtual machine steps of the public timeline.
    private static func steps(_ store: TestStore, for viewer: Int64?) async throws -> Int {
        let reader = store.statuses.reader(of: .public, for: viewer)
        return try await store.database.read { db in
            try db.steps { _ = try reader.step(page, isFirst: true, in: db) }
        }
    }

    @Test(.onSQLite) func statusesAreReadOnce() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        for number in 0..<40 { try await store.post("\(number)", by: ada) }
        let first = try await Self.steps(store, for: nil)
        let second = try await Self.steps(store, for: nil)
        #expect(second < first / 2, "\(second) of \(first)")
        #expect(try await Self.steps(store, for: bob.id) < first)
        // Another account's post leaves the others as they are.
        try await store.post("new", by: bob)
        #expect(try await Self.steps(store, for: nil) < second + first / 20)
    }

    @Test func marksAndVotesAreThoseOfTheViewer() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let post = try await store.post("hello", by: ada)
        let draft = PollDraft(options: ["a", "b"], seconds: 600, isMultiple: false, hidesTotals: false)
        let poll = try await store.post("which?", by: ada, poll: draft)
        func seen(by viewer: Account?) async throws -> [Status] {
            try await store.statuses.timeline(.public, page: Self.page, for: viewer?.id).entries
        }
        _ = try await seen(by: nil)
        _ = try await store.statuses.set(.favourite, true, on: post.id, by: bob.id)
        _ = try await store.statuses.boost(post.id, visibility: nil, by: bob.id)
        _ = try await store.polls.vote([1], in: poll.id, by: bob.id)
        for _ in 0..<2 {
            let (own, others) = (try await seen(by: bob), try await seen(by: nil))
            #expect(own[1].marks == [.favourite] && own[1].isBoostedByViewer && own[0].poll?.ownVotes == [1])
            #expect(others[1].marks == [] && !others[1].isBoostedByViewer && others[0].poll?.ownVotes == [])
            #expect(others[1].favouritesCount == 1 && others[0].poll?.votesCount == 1)
        }
    }

    /// The entries of a list of favourites have page ids of their own, and a boost is not the status that it boosts.
    @Test func entriesKeepTheirIDs() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let post = try await store.post("hello", by: ada)
        let boost = try await store.statuses.boost(post.id, visibility: nil, by: bob.id)
        _ = try await store.statuses.set(.favourite, true, on: post.id, by: ada.id)
        for _ in 0..<2 {
            let home = try await store.statuses.timeline(.account(bob.id), page: Self.page, for: ada.id).entries
            #expect(home.map(\.pageID) == [boost.pageID] && home.map(\.boost?.id) == [boost.pageID])
            let marked = try await store.statuses.timeline(
                .marked(.favourite, by: ada.id), page: Self.page, for: ada.id
            ).entries
            #expect(marked.map(\.id) == [post.id] && marked[0].pageID != post.id && marked[0].boost == nil)
        }
    }
}
