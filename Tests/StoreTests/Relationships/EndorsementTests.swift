import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

@Suite(.hangLimit)
struct EndorsementTests {
    private static func names(_ store: TestStore, _ account: Account, for viewer: Account? = nil) async throws
        -> [String]
    {
        try await store.endorsements.endorsements(of: account.id, page: Pagination(limit: 9), for: viewer?.id)
            .map(\.account.username)
    }

    private static func isEndorsed(_ store: TestStore, _ target: Account, by account: Account) async throws -> Bool? {
        try await store.relationships.relationships(of: account.id, to: [target.id]).first?.isEndorsed
    }

    @Test func onlyFollowedAccountsAreEndorsed() async throws {
        let store = try TestStore()
        let (ada, bob, cleo) = (
            try await store.account("ada"), try await store.account("bob"), try await store.account("cleo")
        )
        let error = await #expect(throws: FeedError.self) { try await store.endorsements.endorse(bob.id, by: ada.id) }
        #expect(error?.kind == .invalid)
        for other in [bob, cleo] { try await store.follows.follow(other.id, by: ada.id) }
        let start = try await store.changes.position().sequence
        for other in [cleo, cleo, bob] { try await store.endorsements.endorse(other.id, by: ada.id) }
        #expect(try await Self.names(store, ada) == ["bob", "cleo"])
        #expect(try await Self.isEndorsed(store, bob, by: ada) == true)
        #expect(try await Self.isEndorsed(store, ada, by: bob) == false)
        for _ in 0..<2 { try await store.endorsements.unendorse(cleo.id, by: ada.id) }
        #expect(try await Self.names(store, ada) == ["bob"])
        #expect(try await store.kinds(after: start) == [.endorsed, .endorsed, .unendorsed])
    }

    @Test func endorsementEndsWithTheFollow() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let ends: [@Sendable () async throws -> Void] = [
            { try await store.follows.unfollow(bob.id, by: ada.id) },
            { try await store.follows.removeFollower(ada.id, from: bob.id) },
            { try await store.blocks.block(ada.id, by: bob.id) },
        ]
        for end in ends {
            try await store.follows.follow(bob.id, by: ada.id)
            try await store.endorsements.endorse(bob.id, by: ada.id)
            try await end()
            #expect(try await Self.names(store, ada).isEmpty)
        }
    }

    @Test func listOmitsWhatTheViewerBlocks() async throws {
        let store = try TestStore()
        let (ada, bob, cleo) = (
            try await store.account("ada"), try await store.account("bob"), try await store.account("cleo")
        )
        try await store.follows.follow(bob.id, by: ada.id)
        try await store.endorsements.endorse(bob.id, by: ada.id)
        try await store.blocks.block(bob.id, by: cleo.id)
        #expect(try await Self.names(store, ada, for: cleo).isEmpty)
        #expect(try await Self.names(store, ada, for: ada) == ["bob"])
        try await store.moderation.perform(.suspend, on: bob.id)
        #expect(try await Self.names(store, ada, for: ada).isEmpty)
    }

    @Test func notesArePrivateAndReplaced() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        func note(_ viewer: Account, _ other: Account) async throws -> String? {
            try await store.relationships.relationships(of: viewer.id, to: [other.id]).first?.note
        }
        let start = try await store.changes.position().sequence
        #expect(try await note(ada, bob) == "")
        for text in ["one", "one", "two <3"] {
            try await store.notes.note(text, about: bob.id, by: ada.id)
            #expect(try await note(ada, bob) == text)
        }
        #expect(try await note(bob, ada) == "")
        for _ in 0..<2 { try await store.notes.note("", about: bob.id, by: ada.id) }
        #expect(try await note(ada, bob) == "")
        #expect(try await store.kinds(after: start) == [.accountNoted, .accountNoted, .accountNoted])
        for text in [String(repeating: "x", count: 2001), "e" + String(repeating: "\u{301}", count: 5000)] {
            let error = await #expect(throws: FeedError.self) {
                try await store.notes.note(text, about: bob.id, by: ada.id)
            }
            #expect(error?.kind == .invalid)
        }
        let error = await #expect(throws: FeedError.self) { try await store.notes.note("x", about: 1, by: ada.id) }
        #expect(error?.kind == .notFound)
    }

    @Test func familiarFollowersAreFollowedByTheViewer() async throws {
        let store = try TestStore()
        var people: [Account] = []
        for name in ["me", "star", "friend", "shy", "stranger"] { people.append(try await store.account(name)) }
        let (me, star) = (people[0], people[1])
        for follower in people[2...] { try await store.follows.follow(star.id, by: follower.id) }
        for friend in people[2...3] { try await store.follows.follow(friend.id, by: me.id) }
        func familiar() async throws -> [String] {
            try await store.follows.familiarFollowers(of: star.id, for: me.id).map(\.username)
        }
        #expect(try await familiar() == ["shy", "friend"])
        // Who hides whom they follow is not shown as a follower.
        _ = try await store.accounts.update(people[3].id) { $0.privacy.insert(.hidesCollections) }
        #expect(try await familiar() == ["friend"])
        try await store.blocks.block(people[2].id, by: me.id)
        #expect(try await familiar().isEmpty)
    }

    /// Two devices move a marker at the same time: one of them is told.
    @Test func markerThatWasMovedElsewhereIsAConflict() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let first = try await store.markers.move([.home: 5], from: [.home: nil], of: ada.id)
        #expect(first.map(\.version) == [0])
        func move(_ id: Int64, from version: Int?) async throws -> Bool {
            do {
                return try await !store.markers.move(
                    [.home: id, .notifications: id], from: [.home: version], of: ada.id
                ).isEmpty
            } catch let error as FeedError {
                #expect(error.kind == .conflict)
                return false
            }
        }
        #expect(try await !move(6, from: nil))
        #expect(try await store.markers.markers(of: ada.id, [.notifications]).isEmpty)
        #expect(try await move(6, from: 0))
        #expect(try await !move(7, from: 0))
        // It is where the device wants it to be.
        #expect(try await move(6, from: 0))
        #expect(try await move(7, from: 1))
    }
}
