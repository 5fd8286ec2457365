import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct NotificationGroupTests {
    @Test func favouritesOfAStatusAreOneGroup() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let status = try await store.post("hello", by: ada)
        var fans: [Account] = []
        for number in 0..<20 {
            fans.append(try await store.account("fan\(number)"))
            _ = try await store.statuses.set(.favourite, true, on: status.id, by: fans[number].id)
        }
        let list = try await store.notifications.notifications(
            of: ada.id, page: Pagination(limit: 80), NotificationFilter()
        ).entries
        let page = try await store.groups(ada)
        let group = try #require(page.entries.first)
        #expect(page.entries.count == 1 && !page.hasOlder)
        #expect(group.count == 20 && group.kind == .favourite && group.status?.id == status.id)
        #expect(group.accounts.map(\.id) == fans.reversed().prefix(8).map(\.id))
        #expect(group.newestID == list.first?.id && group.pageMinID == list.last?.id)
        #expect(list.allSatisfy { $0.groupKey == group.key })
        let shown = try #require(try await store.notifications.group(.group(group.key), of: ada.id))
        #expect(shown.count == 20 && shown.pageMinID == nil && shown.accounts == group.accounts)
        #expect(try await store.notifications.group(.group(group.key), of: fans[0].id) == nil)
        let accounts = try await store.notifications.accounts(
            in: .group(group.key), of: ada.id, page: Pagination(limit: 15))
        #expect(accounts?.entries.map(\.id) == fans.reversed().prefix(15).map(\.id) && accounts?.hasOlder == true)
        #expect(try await store.notifications.unreadGroups(of: ada.id, limit: 100, NotificationFilter()) == 1)
        #expect(try await store.notifications.unread(of: ada.id, limit: 100) == 20)
        _ = try await store.statuses.set(.favourite, false, on: status.id, by: fans[19].id)
        let smaller = try #require(try await store.groups(ada).entries.first)
        #expect(smaller.count == 19 && smaller.newestID == list[1].id && smaller.key == group.key)
        #expect(try await store.notifications.dismiss(.group(group.key), of: ada.id))
        #expect(try await !store.notifications.dismiss(.group(group.key), of: ada.id))
        #expect(try await store.groups(ada).entries.isEmpty)
        #expect(try await store.wrongGroups() == [])
    }

    /// A new period begins a new group, and the key of a notification never changes.
    @Test func groupsEndAfterHalfADay() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        for number in 0..<4 {
            try await store.follows.follow(ada.id, by: try await store.account("fan\(number)").id)
            store.clock.now += 12 * 3_600_000 / 2
        }
        let keys = try await store.groups(ada).entries.map(\.key)
        #expect(keys.count >= 2 && Set(keys).count == keys.count && keys.allSatisfy { $0.hasPrefix("follow-") })
        #expect(try await store.groups(ada).entries.map(\.count).reduce(0, +) == 4)
    }

    /// Only the kinds that a client can show in groups are grouped; single notifications have a key of their own.
    @Test func clientsChooseTheGroupedKinds() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let status = try await store.post("hello", by: ada)
        for name in ["bob", "eve"] {
            let other = try await store.account(name)
            try await store.follows.follow(ada.id, by: other.id)
            _ = try await store.statuses.set(.favourite, true, on: status.id, by: other.id)
            _ = try await store.post("@ada hi", by: other)
        }
        let cases: [(Set<Notification.Kind>, Int)] = [
            ([.favourite, .follow, .reblog], 4), ([.favourite], 5), ([], 6), ([.mention], 6),
        ]
        for (kinds, count) in cases {
            let found = try await store.groups(ada, NotificationFilter(groupedKinds: kinds)).entries
            #expect(found.count == count, "\(kinds)")
            for group in found {
                let isGrouped = kinds.contains(group.kind) && group.kind != .mention
                #expect(group.key.hasPrefix("ungrouped-") == !isGrouped && group.count == (isGrouped ? 2 : 1))
                #expect(
                    try await store.notifications.group(NotificationGroupKey(group.key), of: ada.id)?.newestID
                        == group.newestID)
            }
            let unread = try await store.notifications.unreadGroups(
                of: ada.id, limit: 100, NotificationFilter(groupedKinds: kinds))
            #expect(unread == count)
        }
    }

    /// Accounts that may not be shown are neither listed nor counted, also if they caused the newest notifications.
    @Test func hiddenAccountsAreLeftOut() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let status = try await store.post("hello", by: ada)
        var fans: [Account] = []
        for number in 0..<12 {
            fans.append(try await store.account("fan\(number)"))
            _ = try await store.statuses.set(.favourite, true, on: status.id, by: fans[number].id)
        }
        let marker = try #require(try await store.groups(ada).entries.first?.newestID)
        for fan in fans[9...] { try await store.mutes.mute(fan.id, by: ada.id, Mute()) }
        try await store.suspend(fans[8])
        let group = try #require(try await store.groups(ada).entries.first)
        #expect(group.count == 8 && group.accounts.map(\.id) == fans[..<8].reversed().map(\.id))
        let page = Pagination(limit: 5)
        let accounts = try await store.notifications.accounts(in: .group(group.key), of: ada.id, page: page)
        #expect(accounts?.entries.map(\.id) == fans[3..<8].reversed().map(\.id))
        // Nothing that may be shown is newer than the one that is shown.
        let newer = try await store.groups(ada, page: Pagination(limit: 9, minID: group.newestID))
        #expect(newer.entries.isEmpty && group.newestID < marker)
        _ = try await store.markers.move([.notifications: group.newestID], of: ada.id)
        #expect(try await store.notifications.unreadGroups(of: ada.id, limit: 9, NotificationFilter()) == 0)
        for fan in fans where fan.id != fans[8].id { try await store.blocks.block(fan.id, by: ada.id) }
        #expect(try await store.groups(ada).entries.isEmpty)
        #expect(try await store.wrongGroups() == [])
    }

    /// Pages contain each group once, whatever their size, and lists and groups agree.
    @Test func pagesAreContiguous() async throws {
        let store = try TestStore()
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        let ada = try await store.account("ada")
        var (statuses, others): ([Int64], [Account]) = ([], [])
        for number in 0..<6 {
            statuses.append(try await store.post("post \(number)", by: ada).id)
            others.append(try await store.account("user\(number)"))
        }
        for _ in 0..<150 {
            store.clock.now += 600_000
            let other = others[Int.random(in: others.indices, using: &random)]
            let status = statuses[Int.random(in: statuses.indices, using: &random)]
            switch Int.random(in: 0..<9, using: &random) {
            case 0..<4: _ = try await store.statuses.set(.favourite, true, on: status, by: other.id)
            case 4: _ = try await store.statuses.set(.favourite, false, on: status, by: other.id)
            case 5: _ = try await store.boosts.boost(status, visibility: nil, by: other.id)
            case 6: try await store.follows.follow(ada.id, by: other.id)
            case 7: _ = try await store.boosts.unboost(status, by: other.id)
            default: _ = try await store.post("@ada hi", by: other)
            }
        }
        #expect(try await store.wrongGroups() == [])
        var model: [String] = []
        var counts: [String: Int] = [:]
        for notification in try await store.list(ada) {
            if counts[notification.groupKey] == nil { model.append(notification.groupKey) }
            counts[notification.groupKey, default: 0] += 1
        }
        for limit in [1, 3, 80] {
            var found: [NotificationGroup] = []
            var next = Pagination(limit: limit)
            while true {
                let page = try await store.groups(ada, page: next)
                found += page.entries
                guard page.hasOlder, let oldest = page.oldest else { break }
                next = Pagination(limit: limit, maxID: oldest)
            }
            #expect(found.map(\.key) == model, "seed \(seed), \(limit) down")
            #expect(found.allSatisfy { $0.count == counts[$0.key] }, "seed \(seed)")
            #expect(found.allSatisfy { $0.pageMinID ?? 0 <= $0.newestID })
            found = []
            next = Pagination(limit: limit, minID: 0)
            while true {
                let page = try await store.groups(ada, page: next)
                found = page.entries + found
                guard let newest = page.newest else { break }
                next = Pagination(limit: limit, minID: newest)
            }
            #expect(found.map(\.key) == model, "seed \(seed), \(limit) up")
        }
    }

    @Test func checkFindsAndRepairsWrongCounts() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.follows.follow(ada.id, by: bob.id)
        try await store.database.commits.write { try $0.execute("UPDATE notification_group SET count = 7") }
        #expect(try await store.groups(ada).entries.map(\.count) == [7])
        let check = DatabaseCheck(store.database)
        for count in [1, 0] {
            let snapshot = try store.database.snapshot()
            defer { snapshot.close() }
            let findings = try await check.values(in: snapshot, isRepairing: true) { _, _ in }
            #expect(findings.count == count)
        }
        #expect(try await store.groups(ada).entries.map(\.count) == [1])
    }
}

extension TestStore {
    func groups(
        _ account: Account, _ filter: NotificationFilter = NotificationFilter(),
        page: Pagination = Pagination(limit: 80)
    ) async throws -> Page<NotificationGroup> {
        try await notifications.groups(of: account.id, page: page, filter)
    }

    /// All notifications, newest first.
    fileprivate func list(_ account: Account) async throws -> [FeedCore.Notification] {
        var found: [FeedCore.Notification] = []
        while true {
            let page = try await notifications.notifications(
                of: account.id, page: Pagination(limit: 80, maxID: found.last?.id), NotificationFilter())
            found += page.entries
            guard page.hasOlder, !page.entries.isEmpty else { return found }
        }
    }

    /// Groups whose stored values differ from their notifications, and notifications without their group.
    func wrongGroups() async throws -> [String] {
        try await database.read { db in
            let groups = """
                SELECT g.group_key FROM notification_group g LEFT JOIN (SELECT group_id, count(*) AS number, max(id) AS newest
                    FROM notification GROUP BY group_id) n ON n.group_id = g.id
                WHERE n.number IS DISTINCT FROM g.count OR n.newest IS DISTINCT FROM g.newest_id
                """
            let members = """
                SELECT CAST(n.id AS TEXT) FROM notification n LEFT JOIN notification_group g ON g.id = n.group_id
                AND g.account_id = n.account_id AND g.kind = n.kind AND g.status_id IS NOT DISTINCT FROM n.status_id
                WHERE (g.id IS NULL) = (n.kind IN ('favourite', 'reblog', 'follow'))
                """
            return try [groups, members].flatMap { try db.fetchAll(SQL(sql: $0), as: String.self) }
        }
    }
}
