import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// A new status is not read back, so what is returned must be what was stored.
@Suite(.hangLimit)
struct PostedStatusTests {
    private static let drafts: [(String, @Sendable (inout StatusDraft) -> Void)] = [
        ("plain", { _ in }),
        ("hello @bob and @nobody, see https://example.org/a?b=c #One #two #one <b>&\"'", { $0.language = "de-CH" }),
        ("hidden", { $0.spoilerText = "a warning" }),
        ("e\u{301} \u{1F1E9}\u{1F1EA} \u{5E9}\u{5DC}\u{5D5}\u{5DD}\r\n\tlines", { $0.sensitive = true }),
        ("from an app", { ($0.source, $0.sourceWebsite) = ("App", "https://app.example") }),
    ]

    @Test(arguments: Visibility.allCases)
    func whatIsReturnedIsWhatWasStored(visibility: Visibility) async throws {
        let store = try TestStore()
        let (ada, _) = (try await store.account("ada"), try await store.account("bob"))
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        for (text, change) in Self.drafts {
            store.clock.now += 1000
            var draft = StatusDraft(text: text)
            draft.visibility = visibility
            change(&draft)
            let posted = try await posting.post(draft, by: ada)
            #expect(try await store.statuses.status(id: posted.id, for: ada.id) == posted, "\(text)")
        }
    }

    /// A reply is muted if its author mutes the conversation.
    @Test func repliesAreReadBack() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let root = try await store.post("one", by: ada)
        _ = try await store.statuses.set(.conversationMute, true, on: root.id, by: ada.id)
        #expect(try await store.post("two", by: ada, replyTo: root.id).marks == [.conversationMute])
    }

    @Test func suspendedAccountPostsNothing() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.moderation.perform(.suspend, on: ada.id)
        await #expect(throws: FeedError.self) { try await store.post("one", by: ada) }
        try await store.moderation.perform(.unsuspend, on: ada.id)
        #expect(try await store.timelines.timeline(.public, page: Pagination(limit: 5), for: nil).entries.isEmpty)
    }
}
