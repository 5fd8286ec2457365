import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct FollowedTagStoreTests {
    private static func home(_ account: Account, _ store: TestStore) async throws -> [String] {
        try await store.timelines.timeline(.home(account.id), page: Pagination(limit: 40), for: account.id).entries
            .map(\.text)
    }

    @Test func publicStatusesWithAFollowedHashtagAreAtHome() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.tagFollows.follow(tag: "swift", by: ada.id)
        try await store.post("public #Swift", by: bob)
        for visibility in [Visibility.unlisted, .followers] { try await store.post("x #swift", by: bob, visibility) }
        try await store.post("@ada direct #swift", by: bob, .direct)
        try await store.post("another #swiftly", by: bob)
        #expect(try await Self.home(ada, store) == ["public #Swift"])
        // Only the statuses themselves, not their boosts.
        let unseen = try await store.post("boosted #other", by: try await store.account("author"))
        _ = try await store.boosts.boost(unseen.id, visibility: nil, by: bob.id)
        #expect(try await Self.home(ada, store) == ["public #Swift"])
        try await store.tagFollows.unfollow(tag: "swift", by: ada.id)
        #expect(try await Self.home(ada, store) == [])
    }

    @Test func hiddenAndSilencedAuthorsAreNotFoundByHashtag() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let loud = try await store.account("loud")
        try await store.tagFollows.follow(tag: "swift", by: ada.id)
        let status = try await store.post("loud #swift", by: loud)
        try await store.post("answer #swift", by: bob, replyTo: status.id)
        try await store.post("hello #swift", by: bob)
        #expect(try await Self.home(ada, store) == ["hello #swift", "answer #swift", "loud #swift"])
        try await store.mutes.mute(loud.id, by: ada.id, Mute())
        #expect(try await Self.home(ada, store) == ["hello #swift"])
        try await store.moderation.perform(.silence, on: bob.id)
        #expect(try await Self.home(ada, store) == [])
        try await store.follows.follow(bob.id, by: ada.id)
        #expect(try await Self.home(ada, store) == ["hello #swift"])
        try await store.blocks.block(ada.id, by: bob.id)
        try await store.moderation.perform(.unsilence, on: bob.id)
        #expect(try await Self.home(ada, store) == [])
    }

    /// An exclusive list removes its members from the home timeline, whatever would bring them there.
    @Test func exclusiveListsExcludeStatusesWithAHashtagToo() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.follows.follow(bob.id, by: ada.id)
        try await store.tagFollows.follow(tag: "swift", by: ada.id)
        for text in ["plain", "tagged #swift"] { try await store.post(text, by: bob) }
        let list = try await store.list(of: ada, [bob], isExclusive: true)
        #expect(try await Self.home(ada, store) == [])
        let page = Pagination(limit: 40)
        let listed = try await store.timelines.timeline(.list(list), page: page, for: ada.id)
        #expect(listed.entries.map(\.text) == ["tagged #swift", "plain"])
        _ = try await store.lists.update(list.id, of: ada.id, ListDraft(isExclusive: false))
        #expect(try await Self.home(ada, store) == ["tagged #swift", "plain"])
    }

    @Test func followsArePagedAndLimited() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let start = try await store.changes.position().sequence
        for number in 0..<TagRule.maximum { try await store.tagFollows.follow(tag: "t\(number)", by: ada.id) }
        try await store.tagFollows.follow(tag: "t0", by: ada.id)
        let error = await #expect(throws: FeedError.self) {
            try await store.tagFollows.follow(tag: "more", by: ada.id)
        }
        #expect(error?.kind == .invalid)
        let newest = try await store.tagFollows.followedTags(by: ada.id, page: Pagination(limit: 3))
        #expect(newest.map(\.name) == ["t99", "t98", "t97"])
        let older = Pagination(limit: 1, maxID: newest[2].id)
        #expect(try await store.tagFollows.followedTags(by: ada.id, page: older).map(\.name) == ["t96"])
        #expect(try await store.tagFollows.followedNames(by: ada.id).count == TagRule.maximum)
        try await store.tagFollows.unfollow(tag: "t0", by: ada.id)
        try await store.tagFollows.unfollow(tag: "t0", by: ada.id)
        let kinds = try await store.kinds(after: start)
        #expect(kinds == Array(repeating: .tagFollowed, count: TagRule.maximum) + [.tagUnfollowed])
    }

    /// The change log names the hashtags of public statuses, by which cached home timelines are found.
    @Test func changesOfPublicStatusesCarryTheirHashtags() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let start = try await store.changes.position().sequence
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        let status = try await store.post("one #Two #three", by: ada)
        try await store.post("hidden #four", by: ada, .unlisted)
        _ = try await posting.edit(status.id, to: StatusDraft(text: "now #Five"), by: ada)
        let changes = try await store.changes.changes(after: start, limit: 100)
        #expect(changes.filter { $0.kind == .statusCreated }.map { Set($0.tags) } == [["two", "three"], []])
        #expect(changes.filter { $0.kind == .statusEdited }.map(\.tags) == [["five"]])
    }
}
