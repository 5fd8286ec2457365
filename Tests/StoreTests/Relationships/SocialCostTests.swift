import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit, .onSQLite)
struct SocialCostTests {
    /// The cost of a list is bounded for every viewer.
    @Test func costOfEveryListIsBounded() async throws {
        let store = try TestStore()
        store.clock.now = 1_750_000_000_000
        try await store.importDemo()
        let accounts = try await store.accounts.list()
        let busy = try #require(accounts.first)
        try await Self.sendManyNotifications(busy, store)
        let everyone = accounts.map(\.id)
        let now = store.clock.now
        try await store.database.read { db in
            for viewer in everyone {
                for (wanted, known) in [("follower_id", "followee_id"), ("followee_id", "follower_id")] {
                    let list = FollowStore.query(
                        wanted, where: known, is: viewer, Pagination(limit: 80), busy.id, at: now)
                    Self.check(try db.steps(list), "\(wanted) of \(viewer)")
                }
            }
            let relations = RelationshipStore.query(busy.id, Set(everyone.prefix(80)), at: now)
            Self.check(try db.steps(relations), "relationships")
            let familiar = FollowStore.familiarQuery(busy.id, everyone[1], at: now)
            Self.check(try db.steps(familiar), "familiar followers")
            let followed = SearchStore.followedQuery("a", by: busy.id)
            Self.check(try db.steps(followed), "search in followed accounts")
            let search = SearchStore.query(
                "a", followed: try Int64.fetchAll(db, followed), limit: 40, offset: 0, followedBy: busy.id)
            Self.check(try db.steps(search), "search")
            let reader = NotificationReader(account: busy.id, now: now)
            let filters = [
                NotificationFilter(), NotificationFilter(kinds: [.favourite, .mention]),
                NotificationFilter(kinds: [.mention]), NotificationFilter(from: everyone[1]),
            ]
            for filter in filters {
                for page in [Pagination(limit: 80), Pagination(limit: 80, minID: 0)] {
                    Self.check(
                        try db.steps { _ = try reader.page(page, filter, in: db) }, "notifications \(filter)")
                }
            }
            Self.check(
                try db.steps { _ = try reader.count(Pagination(limit: 100, minID: 0), NotificationFilter(), in: db) },
                "unread")
        }
    }

    private static func check(_ steps: Int, _ name: String) {
        #expect(steps > 0 && steps < PageCost.bound, "\(name): \(steps)")
    }

    /// Adds thousands of favourites after a single mention.
    private static func sendManyNotifications(_ account: Account, _ store: TestStore) async throws {
        let now = store.clock.now
        try await store.database.commits.write { db in
            let sql = "SELECT id FROM status WHERE account_id = ? ORDER BY id DESC LIMIT 20"
            let statuses = try Int64.fetchAll(db, sql: sql, arguments: [account.id])
            let others = try Int64.fetchAll(db, sql: "SELECT id FROM account WHERE id <> ?", arguments: [account.id])
            try db.notify(account.id, of: .mention, by: others[0], status: statuses[0], at: now)
            for status in statuses {
                for other in others { try db.notify(account.id, of: .favourite, by: other, status: status, at: now) }
            }
        }
    }
}
