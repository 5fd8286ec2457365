import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct DiscoveryTests {
    private static func names(_ suggestions: [Suggestion]) -> [String] {
        suggestions.map { "\($0.account.username) \($0.source.rawValue)" }
    }

    @Test func accountsOfFriendsAreSuggestedBeforeActiveOnes() async throws {
        let store = try TestStore()
        var people: [String: Account] = [:]
        for name in ["me", "ann", "ben", "cat", "dan", "eve", "fay", "gus", "hid"] {
            people[name] = try await store.account(name)
        }
        func follow(_ follower: String, _ followee: String) async throws {
            let (one, other) = (try #require(people[follower]), try #require(people[followee]))
            try await store.follows.follow(other.id, by: one.id)
        }
        for friend in ["ann", "ben"] {
            try await follow("me", friend)
            try await follow(friend, "cat")
            try await follow(friend, "me")
            try await follow(friend, "hid")
        }
        try await follow("ann", "dan")
        try await follow("ann", "ben")
        for name in ["fay", "eve", "cat", "gus"] {
            store.clock.now += 1000
            try await store.post("hi", by: try #require(people[name]))
        }
        let (me, hidden) = (try #require(people["me"]), try #require(people["hid"]))
        _ = try await store.accounts.update(hidden.id) { $0.isDiscoverable = false }
        try await store.blocks.block(try #require(people["gus"]).id, by: me.id)
        let found = try await store.suggestions.suggestions(for: me.id, limit: 40)
        #expect(
            Self.names(found) == [
                "cat friends_of_friends", "dan friends_of_friends", "eve most_interactions", "fay most_interactions",
            ])
        #expect(try await store.suggestions.suggestions(for: me.id, limit: 1) == Array(found.prefix(1)))
        try await store.lock(try #require(people["cat"]))
        try await follow("me", "cat")
        try await follow("me", "dan")
        let rest = try await store.suggestions.suggestions(for: me.id, limit: 40)
        #expect(Self.names(rest) == ["eve most_interactions", "fay most_interactions"])
        for _ in 0..<2 { try await store.suggestions.dismiss(try #require(people["eve"]).id, by: me.id) }
        let after = try await store.suggestions.suggestions(for: me.id, limit: 40)
        #expect(Self.names(after) == ["fay most_interactions"])
        let error = await #expect(throws: FeedError.self) { try await store.suggestions.dismiss(1, by: me.id) }
        #expect(error?.kind == .notFound)
    }

    @Test func directoryListsWhoWantsToBeFound() async throws {
        let store = try TestStore()
        var people: [Account] = []
        for name in ["ada", "bob", "cleo", "dora", "eve", "fred"] { people.append(try await store.account(name)) }
        for index in [4, 2, 0, 1, 3] {
            store.clock.now += 1000
            try await store.post("hi", by: people[index])
        }
        func list(_ order: Directory, for viewer: Account? = nil, limit: Int = 40, offset: Int = 0) async throws
            -> [String]
        {
            try await store.suggestions.directory(order, limit: limit, offset: offset, for: viewer?.id).map(\.username)
        }
        #expect(try await list(.active) == ["dora", "bob", "ada", "cleo", "eve"])
        #expect(try await list(.new) == ["fred", "eve", "dora", "cleo", "bob", "ada"])
        #expect(try await list(.active, limit: 2, offset: 1) == ["bob", "ada"])
        _ = try await store.accounts.update(people[1].id) { $0.isDiscoverable = false }
        try await store.moderation.perform(.silence, on: people[2].id)
        try await store.moderation.perform(.suspend, on: people[3].id)
        try await store.blocks.block(people[4].id, by: people[5].id)
        #expect(try await list(.active) == ["ada", "eve"])
        #expect(try await list(.active, for: people[5]) == ["ada"])
        #expect(try await list(.active, for: people[4]) == ["ada", "eve"])
        #expect(try await list(.active, for: people[2]) == ["ada", "eve"])
        #expect(try await list(.new, offset: 99) == [])
    }
}
