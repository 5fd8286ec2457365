import FeedCore
import FeedStore
import FeedTestSupport
import GRDB
import Testing

struct StatusEditingTests {
    @Test func historyIsBoundedAndKeepsTheFirstVersion() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let status = try await store.post("version 0", by: ada)
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        for number in 1...120 {
            store.clock.now += 1000
            _ = try await posting.edit(status.id, to: StatusDraft(text: "version \(number)"), by: ada)
        }
        let versions = try #require(try await store.edits.history(of: status.id, for: nil)).edits.map(\.content)
        #expect(versions.count == StatusHistory.maximumVersions)
        #expect(versions.first?.contains("version 0") == true)
        #expect(versions.dropFirst().first?.contains("version 72") == true)
        #expect(versions.last?.contains("version 120") == true)
    }

    @Test func expiredIdempotencyKeysArePruned() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        for index in 0..<560 {
            var draft = StatusDraft(text: "post \(index)")
            draft.idempotencyKey = "key \(index)"
            if index == 530 { store.clock.now += 86_400_000 }
            _ = try await posting.post(draft, by: ada)
        }
        try await store.statuses.pruneIdempotencyKeys()
        let left = try await store.database.read { try $0.fetchOne("SELECT count(*) FROM idempotency", as: Int.self) }
        #expect(left == 30)
    }
}
