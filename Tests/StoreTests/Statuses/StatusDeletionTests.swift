import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// However popular a status is, no transaction of its deletion is long, and each leaves the counts correct.
@Suite(.hangLimit)
struct StatusDeletionTests {
    private static let fans = 3 * StatusDeletion.maximumRows

    /// A status with more favourites, bookmarks, boosts, votes and replies than a transaction may delete.
    private static func popular(_ store: TestStore) async throws -> (ada: Account, status: Int64, replies: [Int64]) {
        let ada = try await store.account("ada")
        let poll = PollDraft(options: ["a", "b"], seconds: 300)
        let id = try await store.post("which?", by: ada, poll: poll).id
        let replies = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<fans {
                group.addTask {
                    let fan = try await store.account("fan\(number)")
                    for mark in [StatusMark.favourite, .bookmark] {
                        _ = try await store.statuses.set(mark, true, on: id, by: fan.id)
                    }
                    _ = try await store.boosts.boost(id, visibility: nil, by: fan.id)
                    _ = try await store.polls.vote([number % 2], in: id, by: fan.id)
                    return try await store.post("reply", by: fan, number % 3 == 0 ? .followers : .public, replyTo: id)
                        .id
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return (ada, id, replies)
    }

    @Test(.onSQLite) func everyTransactionIsShort() async throws {
        let store = try TestStore()
        let (_, id, _) = try await Self.popular(store)
        var (isPopular, transactions) = (true, 0)
        while isPopular {
            let steps: Int
            (isPopular, steps) = try await store.database.commits.write { db in
                var isPopular = false
                let steps = try db.steps {
                    isPopular = try StatusDeletion(status: id, now: store.clock.now, db: db).deleteSome()
                }
                return (isPopular, steps)
            }
            #expect(steps < PageCost.bound)
            #expect(try await AccountDeletionWorld.wrongCounts(store) == [])
            transactions += 1
        }
        #expect(transactions > 5)
    }

    @Test(arguments: [false, true])
    func popularStatusIsDeletedWithItsDependents(byTheOperator: Bool) async throws {
        let store = try TestStore()
        let (ada, id, replies) = try await Self.popular(store)
        let sequence = store.database.log.sequence
        let deleted =
            byTheOperator
            ? try await store.statuses.remove(id: id) : try await store.statuses.delete(id: id, by: ada.id)
        #expect(deleted?.id == id)
        let kinds = try await store.kinds(after: sequence)
        #expect(kinds.last == .statusDeleted && kinds.dropLast().contains(.unfavourited))
        #expect(kinds.count { $0 == .unboosted || $0 == .boostsRemoved } > StatusDeletion.maximumRows)
        #expect(try await store.statuses.status(id: id, for: ada.id) == nil)
        #expect(try await AccountDeletionWorld.wrongCounts(store) == [])
        for reply in try await store.statuses.statuses(ids: replies, for: ada.id) { #expect(reply.inReplyToID == nil) }
        let left = try await store.database.read { db in
            try ["favourite", "bookmark", "poll_vote", "notification"].map {
                try db.fetchOne("SELECT count(*) FROM \(sql: $0) WHERE status_id = \(id)", as: Int.self) ?? -1
            }
        }
        #expect(left == [0, 0, 0, 0])
    }

    /// Only the author's deletion counts.
    @Test func othersDeleteNothing() async throws {
        let store = try TestStore()
        let (_, id, _) = try await Self.popular(store)
        let eve = try await store.account("eve")
        #expect(try await store.statuses.delete(id: id, by: eve.id) == nil)
        #expect(try await store.statuses.status(id: id, for: nil)?.favouritesCount == Self.fans)
    }
}
