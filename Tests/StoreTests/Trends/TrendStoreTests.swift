import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct TrendStoreTests {
    @Test func hashtagsOfSeveralAccountsTrend() async throws {
        let store = try TestStore()
        var people: [Account] = []
        for name in ["ada", "bob", "cleo"] { people.append(try await store.account(name)) }
        #expect(try await store.trends.tags() == [])
        for person in people { try await store.post("#popular", by: person) }
        for person in people.prefix(2) { try await store.post("#known", by: person) }
        for _ in 0..<9 { try await store.post("#mine", by: people[0]) }
        #expect(try await store.trends.tags() == [])
        try await store.trends.refresh()
        #expect(try await store.trends.tags() == ["popular", "known"])
        store.clock.now += 2 * TagUse.milliseconds
        try await store.trends.refresh()
        #expect(try await store.trends.tags() == [])
    }

    @Test func hashtagsOfSilencedAccountsDoNotTrend() async throws {
        let store = try TestStore()
        for name in ["ada", "bob"] {
            let account = try await store.account(name)
            try await store.post("#spam", by: account)
            try await store.moderation.perform(.silence, on: account.id)
        }
        try await store.trends.refresh()
        #expect(try await store.trends.tags() == [])
    }

    @Test func likedStatusesTrend() async throws {
        let store = try TestStore()
        let (ada, bob, cleo) = (
            try await store.account("ada"), try await store.account("bob"), try await store.account("cleo")
        )
        let plain = try await store.post("plain", by: ada)
        let liked = try await store.post("liked", by: ada)
        let loved = try await store.post("loved", by: ada)
        let unlisted = try await store.post("unlisted", by: ada, .unlisted)
        for person in [bob, cleo] {
            for status in [liked, loved, unlisted] {
                _ = try await store.statuses.set(.favourite, true, on: status.id, by: person.id)
            }
        }
        _ = try await store.statuses.set(.favourite, true, on: plain.id, by: bob.id)
        _ = try await store.boosts.boost(loved.id, visibility: nil, by: bob.id)
        try await store.trends.refresh()
        #expect(try await store.trends.statuses() == [loved.id, liked.id])
        try await store.mutes.mute(ada.id, by: cleo.id, Mute())
        let ids = try await store.trends.statuses()
        #expect(try await store.statuses.listed(ids: ids, for: bob.id).map(\.id) == [loved.id, liked.id])
        #expect(try await store.statuses.listed(ids: ids, for: cleo.id) == [])
        #expect(try await store.statuses.listed(ids: [unlisted.id], for: bob.id) == [])
        store.clock.now += 4 * TagUse.milliseconds
        try await store.trends.refresh()
        #expect(try await store.trends.statuses() == [])
    }

    @Test func repliesSensitiveStatusesAndUndiscoverableAccountsDoNotTrend() async throws {
        let store = try TestStore()
        let (ada, bob, shy) = (
            try await store.account("ada"), try await store.account("bob"), try await store.account("shy")
        )
        let plain = try await store.post("plain", by: ada)
        let reply = try await store.post("reply", by: ada, replyTo: plain.id)
        var draft = StatusDraft(text: "sensitive")
        (draft.visibility, draft.spoilerText) = (.public, "careful")
        let sensitive = try await StatusPosting(
            accounts: store.accounts, statuses: store.statuses, limits: Limits()
        ).post(draft, by: ada)
        let hidden = try await store.post("hidden", by: shy)
        for status in [plain, reply, sensitive, hidden] {
            for fan in [bob, shy] { _ = try await store.statuses.set(.favourite, true, on: status.id, by: fan.id) }
        }
        _ = try await store.accounts.update(shy.id) { $0.isDiscoverable = false }
        try await store.trends.refresh()
        #expect(try await store.trends.statuses() == [plain.id])
    }
}
