import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// Accounts are removed from a random feed, while the others continue: all counts equal a recount, and nothing is left.
@Suite(.hangLimit)
struct AccountDeletionWalkTests {
    @Test(arguments: 0..<UInt64(Soak.rounds(3, soaking: 200)))
    func removalsLeaveCorrectCountsAndNothingElse(round: UInt64) async throws {
        let seed = Soak.seed &+ round
        var world = try await AccountDeletionWorld(seed: seed)
        let store = world.store
        for _ in 0..<300 { try await world.act() }
        let name = Comment(rawValue: "seed \(seed)")
        #expect(try await AccountDeletionWorld.wrongCounts(store) == [], name)
        #expect(try await AccountDeletionWorld.wrongConversationsAndUses(store) == [], name)
        for account in world.accounts.dropFirst(2).prefix(4) {
            let own = try await Self.statuses(of: account.id, store)
            let start = try await store.changes.position().sequence
            try await store.moderation.perform(.remove, on: account.id)
            while try await store.deletion.step(account.id) != .finished { try await world.act() }
            #expect(try await AccountDeletionWorld.leftovers(of: account.id, in: store) == [], name)
            #expect(try await AccountDeletionWorld.wrongCounts(store) == [], name)
            #expect(try await AccountDeletionWorld.orphanedMutes(store) == 0, name)
            #expect(try await AccountDeletionWorld.wrongConversationsAndUses(store) == [], name)
            let logged = try await store.changes.changes(after: start, limit: 10_000)
                .filter { $0.kind == .statusDeleted && $0.account == account.id }.compactMap(\.subject)
            #expect(Set(logged) == own && logged.count == own.count, name)
        }
        #expect(try await store.deletion.pending() == [], name)
    }

    /// Boosts are logged as such.
    private static func statuses(of account: Int64, _ store: TestStore) async throws -> Set<Int64> {
        try await store.database.read { db in
            try Set(
                db.fetchAll(
                    "SELECT id FROM status WHERE account_id = \(account) AND boost_of_id IS NULL", as: Int64.self))
        }
    }
}
