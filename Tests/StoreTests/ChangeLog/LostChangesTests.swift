import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

@Suite(.hangLimit, .enabled(if: PostgresTests.isEnabled, "only where a standby can take over"))
struct LostChangesTests {
    @Test func logThatFellBehindGetsANewEpoch() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let kept = try await store.changes.position()
        for number in 0..<5 { try await store.post("post \(number)", by: ada) }
        let lost = store.database.log.sequence
        try await store.database.commits.write { db in
            try db.execute("DELETE FROM change WHERE sequence > \(kept.sequence)")
        }
        try await store.changes.catchUp()
        #expect(store.database.log.epoch != kept.epoch)
        #expect(try await store.changes.position().epoch == store.database.log.epoch)
        #expect(store.database.log.sequence == kept.sequence && kept.sequence < lost)
        try await store.post("afterwards", by: ada)
        try await store.changes.catchUp()
        #expect(store.database.log.sequence > lost)
    }
}
