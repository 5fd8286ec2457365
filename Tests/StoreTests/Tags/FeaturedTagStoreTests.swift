import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct FeaturedTagStoreTests {
    @Test func featuredTagsCountTheAccountsStatuses() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.post("#Swift", by: ada)
        store.clock.now += 1000
        let last = try await store.post("#swift", by: ada, .unlisted)
        store.clock.now += 1000
        for visibility in [Visibility.followers, .direct] { try await store.post("#swift", by: ada, visibility) }
        try await store.post("#swift", by: bob)
        let made = try await store.featuredTags.feature("SWIFT", by: ada.id)
        #expect(made.name == "SWIFT" && made.statusesCount == 2 && made.lastStatusAt == last.createdAt)
        // The hashtag is featured already, in whichever letter case.
        #expect(try await store.featuredTags.feature("swift", by: ada.id) == made)
        let unused = try await store.featuredTags.feature("unused", by: ada.id)
        #expect(unused.statusesCount == 0 && unused.lastStatusAt == nil)
        #expect(try await store.featuredTags.featured(by: ada.id) == [made, unused])
        #expect(try await store.featuredTags.featured(by: bob.id) == [])
        let error = await #expect(throws: FeedError.self) {
            try await store.featuredTags.unfeature(made.id, by: bob.id)
        }
        #expect(error?.kind == .notFound)
        try await store.featuredTags.unfeature(made.id, by: ada.id)
        #expect(try await store.featuredTags.featured(by: ada.id) == [unused])
    }

    @Test func numberOfFeaturedTagsIsLimited() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        for number in 0..<FeaturedTag.maximum { _ = try await store.featuredTags.feature("tag\(number)", by: ada.id) }
        let error = await #expect(throws: FeedError.self) {
            try await store.featuredTags.feature("another", by: ada.id)
        }
        #expect(error?.kind == .invalid)
        _ = try await store.featuredTags.feature("tag3", by: ada.id)
    }

    @Test func mostUsedTagsAreSuggested() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        for text in ["#b #a", "#B", "#c #c", "#d"] { try await store.post(text, by: ada) }
        _ = try await store.featuredTags.feature("C", by: ada.id)
        #expect(try await store.featuredTags.suggestedTags(for: ada.id) == ["b", "a", "d"])
    }

    /// A mark forms one character with the space that separates stored tags. The key does not contain it.
    @Test func tagThatBeginsWithAMarkIsATagOfItsOwn() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let status = try await store.post("#foo #\u{301}bar", by: ada)
        #expect(status.tags == ["foo", "\u{301}bar"])
        #expect(try await store.featuredTags.suggestedTags(for: ada.id) == ["bar", "foo"])
    }
}
