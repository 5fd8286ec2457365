import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The cost of notifications does not depend on how many there are.
@Suite(.hangLimit, .onSQLite)
struct NotificationCostTests {
    /// In SQLite virtual machine steps. The dearest page, of 80 groups with 16 accounts each, takes about 80,000.
    private static let bound = 150_000

    /// An account of which one status has many favourites, and 100 have 20 each, by different accounts.
    private static func storm(_ count: Int) async throws -> (store: TestStore, account: Account) {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let fans = (store.clock.now - 86_400_000) << 16
        try await store.database.commits.write { db in
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO account (id, username, username_key, created_at) SELECT \(fans) + i, 'fan' || i, 'fan'
                || i, 0 FROM n
                """)
        }
        var statuses: [Int64] = []
        for number in 0...100 { statuses.append(try await store.post("post \(number)", by: ada).id) }
        let posted = statuses
        let start = store.clock.now << 16 + 1_000_000
        try await store.database.commits.write { db in
            for (number, status) in posted.enumerated() {
                let size = number < 100 ? 20 : count
                let first = start + Int64(number) * 100
                try db.execute(
                    """
                    INSERT INTO notification_group (id, account_id, group_key, kind, status_id, newest_id, count)
                    VALUES (\(first) + 1, \(ada.id), \("favourite-\(status)-1"), 'favourite', \(status),
                    \(first) + \(size), \(size))
                    """)
                try db.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(size))
                    INSERT INTO notification (id, account_id, kind, from_id, status_id, group_id)
                    SELECT \(first) + i, \(ada.id), 'favourite', \(fans + Int64(number % 100) * 20) + i, \(status),
                    \(first + 1) FROM n
                    """)
            }
        }
        return (store, ada)
    }

    @Test func pageOfGroupsReadsABoundedNumberOfRows() async throws {
        let (large, small) = (try await Self.storm(100_000), try await Self.storm(2500))
        #expect(try await large.store.wrongGroups() == [])
        let few = try await Self.costs(small.store, small.account)
        let many = try await Self.costs(large.store, large.account)
        for (name, steps) in many {
            let other = try #require(few[name])
            #expect(steps > 0 && steps < Self.bound && steps < other + other / 5 + 500, "\(name): \(steps), \(other)")
        }
    }

    /// The cost of everything that reads or undoes notifications.
    private static func costs(_ store: TestStore, _ account: Account) async throws -> [String: Int] {
        let filters: [(String, NotificationFilter)] = [
            ("all", NotificationFilter()), ("ungrouped", NotificationFilter(groupedKinds: [])),
            ("mentions", NotificationFilter(kinds: [.mention])),
        ]
        let group = try #require(try await store.groups(account).entries.first)
        let now = store.clock.now
        return try await store.database.read { db in
            let reader = NotificationGroupStore(account: account.id, now: now)
            var costs: [String: Int] = [:]
            for (name, filter) in filters {
                for page in [Pagination(limit: 80), Pagination(limit: 80, minID: 0)] {
                    let steps = try db.steps { _ = try reader.page(page, filter, in: db) }
                    costs["\(name) \(page.isAscending ? "up" : "down")"] = steps
                }
                costs["\(name) unread"] = try db.steps {
                    _ = try reader.count(Pagination(limit: 100, minID: 0), filter, in: db)
                }
            }
            let key = NotificationGroupKey(group.key)
            costs["one"] = try db.steps { _ = try reader.group(key, in: db) }
            let id = try #require(try db.notificationGroup(group.key, of: account.id))
            costs["accounts"] = try db.steps { _ = try reader.accounts(in: id, Pagination(limit: 80), in: db) }
            return costs
        }
    }
}
