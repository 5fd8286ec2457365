import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The effects of silencing beyond timelines, which `WebTests/Timelines/Visibility` covers.
@Suite(.hangLimit)
struct SilenceTests {
    /// bob follows ada, cleo does not.
    private static func followed() async throws -> FeedFixture {
        let world = try await FeedFixture()
        try await world.store.follows.follow(world.ada.id, by: world.bob.id)
        return world
    }

    @Test func silencingIsLoggedOnce() async throws {
        let world = try await Self.followed()
        let start = try await world.store.changes.position().sequence
        #expect(try await world.silence(true))
        #expect(try await !world.silence(true))
        #expect(try await world.store.accounts.account(id: world.ada.id)?.silencedAt == world.store.clock.now)
        #expect(try await world.silence(false))
        #expect(try await !world.silence(false))
        #expect(try await world.store.kinds(after: start) == [.accountSilenced, .accountUnsilenced])
    }

    /// Nothing is lost: the notifications are there again when the silence ends, or when the follow begins.
    @Test func notificationsAreWithheldFromNonFollowers() async throws {
        let world = try await Self.followed()
        let store = world.store
        _ = try await store.post("@bob @cleo before", by: world.ada)
        #expect(try await world.silence(true))
        _ = try await store.post("@bob @cleo after", by: world.ada)
        func counts(_ account: Account) async throws -> [Int] {
            let page = try await store.notifications.notifications(
                of: account.id, page: Pagination(limit: 40), NotificationFilter(kinds: [.mention]))
            return [page.entries.count, try await store.notifications.unread(of: account.id, limit: 100)]
        }
        #expect(try await counts(world.bob) == [2, 2])
        #expect(try await counts(world.cleo) == [0, 0])
        try await store.follows.follow(world.ada.id, by: world.cleo.id)
        #expect(try await counts(world.cleo) == [2, 2])
        try await store.follows.unfollow(world.ada.id, by: world.cleo.id)
        #expect(try await world.silence(false))
        #expect(try await counts(world.cleo) == [2, 2])
    }

    @Test func followsBySilencedAccountsNeedApproval() async throws {
        let world = try await Self.followed()
        let store = world.store
        #expect(try await world.silence(true))
        try await store.follows.follow(world.cleo.id, by: world.ada.id)
        #expect(try await store.follows.requestsCount(to: world.cleo.id) == 1)
        // Any change of an unlocked profile accepts the other requests.
        _ = try await store.accounts.update(world.cleo.id) { $0.note = "hello" }
        #expect(try await store.follows.requestsCount(to: world.cleo.id) == 1)
        try await store.follows.accept(world.ada.id, by: world.cleo.id)
        #expect(try await store.accounts.account(id: world.cleo.id)?.followersCount == 1)
    }

    @Test func searchesFindSilencedAccountsOnlyByTheirName() async throws {
        let world = try await Self.followed()
        let store = world.store
        _ = try await store.accounts.update(world.ada.id) { $0.displayName = "Lovelace" }
        _ = try await store.post("#engine", by: world.ada)
        #expect(try await world.silence(true))
        func found(_ text: String, _ viewer: Account?) async throws -> Bool {
            try await !store.search.accounts(
                matching: text, limit: 9, offset: 0, followedBy: nil, for: viewer?.id
            ).isEmpty
        }
        for text in ["ad", "love"] {
            for viewer in [world.bob, world.ada] { #expect(try await found(text, viewer), "\(text)") }
            for viewer in [world.cleo, nil] { #expect(try await !found(text, viewer), "\(text)") }
        }
        #expect(try await found("ada", nil))
        #expect(try await store.search.tags(beginningWith: "eng", limit: 9, offset: 0) == [])
        _ = try await store.post("#engine", by: world.cleo)
        #expect(try await store.search.tags(beginningWith: "eng", limit: 9, offset: 0) == ["engine"])
    }
}

extension FeedFixture {
    /// Silences ada, or ends it.
    fileprivate func silence(_ isSilenced: Bool) async throws -> Bool {
        try await store.moderation.perform(isSilenced ? .silence : .unsilence, on: ada.id).hasChanged
    }
}
