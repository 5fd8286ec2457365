import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The statuses that each account finds.
@Suite(.hangLimit)
struct SearchVisibilityTests {
    private static let own: Set<String> = ["author", "mentioned"]
    private static let close: Set<String> = ["author", "mentioned", "follower"]
    private static let all: Set<String> = ["author", "mentioned", "follower", "stranger", "anonymous"]

    /// Of an account that everyone may find.
    @Test(
        arguments: [(.public, all), (.unlisted, all), (.followers, close), (.direct, own)]
            as [(Visibility, Set<String>)])
    func findersDependOnTheVisibility(visibility: Visibility, expected: Set<String>) async throws {
        let world = try await SearchWorld()
        try await world.store.post("@mentioned zebra", by: world.author, visibility)
        #expect(try await world.finders(of: "zebra") == expected)
        try await world.store.setIndexable(world.author, false)
        #expect(try await world.finders(of: "zebra") == (visibility == .direct ? Self.own : Self.close))
        try await world.store.setIndexable(world.author)
        #expect(try await world.finders(of: "zebra") == expected)
    }

    @Test(arguments: Visibility.allCases)
    func accountsAreNotFoundByAllUnlessTheyAgree(visibility: Visibility) async throws {
        let world = try await SearchWorld(isIndexable: false)
        try await world.store.post("@mentioned zebra", by: world.author, visibility)
        #expect(try await world.finders(of: "zebra") == (visibility == .direct ? Self.own : Self.close))
    }

    @Test(arguments: Visibility.allCases) func editsReplaceTheWords(visibility: Visibility) async throws {
        let world = try await SearchWorld()
        let status = try await world.store.post("@mentioned zebra", by: world.author, visibility)
        let before = try await world.finders(of: "zebra")
        try await world.store.edit(status, to: "heron", by: world.author)
        #expect(try await world.finders(of: "zebra").isEmpty)
        // Including the account that was mentioned before.
        #expect(try await world.finders(of: "heron") == before)
        #expect(try await world.store.statuses.delete(id: status.id, by: world.author.id) != nil)
        #expect(try await world.finders(of: "heron").isEmpty)
    }

    @Test func moderationHidesStatuses() async throws {
        let world = try await SearchWorld()
        try await world.store.post("@mentioned zebra", by: world.author)
        try await world.store.moderation.perform(.silence, on: world.author.id)
        #expect(try await world.finders(of: "zebra") == ["author", "follower"])
        try await world.store.moderation.perform(.unsilence, on: world.author.id)
        #expect(try await world.finders(of: "zebra") == Self.all)
        try await world.store.moderation.perform(.suspend, on: world.author.id)
        #expect(try await world.finders(of: "zebra").isEmpty)
        try await world.store.moderation.perform(.unsuspend, on: world.author.id)
        #expect(try await world.finders(of: "zebra") == Self.all)
        try await world.store.moderation.perform(.remove, on: world.author.id)
        #expect(try await world.finders(of: "zebra").isEmpty)
        #expect(try await world.store.deletion.complete(world.author.id))
        #expect(try await world.store.indexed() == [])
    }

    /// All relationships apply from the moment when they change.
    @Test func relationshipsDecideAtOnce() async throws {
        let world = try await SearchWorld()
        let (store, stranger) = (world.store, try world.viewer("stranger"))
        try await store.post("zebra", by: world.author, .followers)
        #expect(try await store.found("zebra", by: stranger).isEmpty)
        try await store.follows.follow(world.author.id, by: stranger.id)
        #expect(try await store.found("zebra", by: stranger).count == 1)
        try await store.mutes.mute(world.author.id, by: stranger.id, Mute())
        #expect(try await store.found("zebra", by: stranger).isEmpty)
        try await store.mutes.unmute(world.author.id, by: stranger.id)
        #expect(try await store.found("zebra", by: stranger).count == 1)
        try await store.blocks.block(stranger.id, by: world.author.id)
        try await store.blocks.unblock(stranger.id, by: world.author.id)
        #expect(try await store.found("zebra", by: stranger).isEmpty)
    }

    /// More accounts than the index is asked for at once.
    @Test func followersOfManyAccountsFindTheirStatuses() async throws {
        let store = try TestStore()
        let reader = try await store.account("reader")
        var expected: [Int64] = []
        for number in 0...StatusSearch.maximumAuthors {
            let author = try await store.account("author\(number)")
            try await store.follows.follow(author.id, by: reader.id)
            try await store.setIndexable(author, number % 32 == 0)
            guard number % 16 == 0 else { continue }
            expected.insert(try await store.post("zebra", by: author, .followers).id, at: 0)
            try await store.post("zebra", by: author, .direct)
            expected.insert(try await store.post("zebra", by: author).id, at: 0)
        }
        let stranger = try await store.account("stranger")
        try await store.post("zebra", by: stranger, .followers)
        #expect(try await store.found("zebra", by: reader) == expected)
        var query = ResolvedSearch(words: "zebra")
        query.following = true
        #expect(try await store.found(query, by: reader) == expected)
        // Their own, and those of the three authors whose statuses everyone finds.
        #expect(try await store.found("zebra", by: stranger).count == 4)
    }

    /// The newest statuses move with the account, the others later; no query shows too much in between.
    @Test func statusesMoveInBatches() async throws {
        let store = try TestStore()
        let (author, reader) = (try await store.account("author"), try await store.account("reader"))
        for number in 0..<(3 * StatusIndex.batch) { try await store.post("zebra \(number)", by: author) }
        let query = ResolvedSearch(words: "zebra").limited(to: 1000)
        #expect(try await store.found(query, by: reader).count == 3 * StatusIndex.batch)
        try await store.setIndexable(author, false)
        #expect(try await store.found(query, by: reader).isEmpty)
        #expect(try await store.found(query, by: author).count == 3 * StatusIndex.batch)
        try await SearchIndexing(store.database).run()
        #expect(try await store.indexed(isRestricted: true).count == 3 * StatusIndex.batch)
        #expect(try await store.found(query, by: author).count == 3 * StatusIndex.batch)
        try await store.setIndexable(author)
        #expect(try await store.found(query, by: reader).count == StatusIndex.batch)
        try await SearchIndexing(store.database).run()
        #expect(try await store.found(query, by: reader).count == 3 * StatusIndex.batch)
        #expect(try await store.indexed(isRestricted: true) == [])
    }
}

extension TestStore {
    func edit(_ status: Status, to text: String, by author: Account) async throws {
        let posting = StatusPosting(accounts: accounts, statuses: statuses, limits: Limits())
        _ = try await posting.edit(status.id, to: StatusDraft(text: text), by: author)
    }

    /// The statuses in the search index.
    func indexed(isRestricted: Bool? = nil) async throws -> [Int64] {
        let chosen = isRestricted.map { [$0] } ?? [false, true]
        return try await database.read { db in
            try db.fetchAll(
                """
                SELECT status_id FROM status_search WHERE is_restricted IN \(list: chosen) ORDER BY status_id DESC
                """, as: Int64.self)
        }
    }
}
