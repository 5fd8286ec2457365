import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct NotificationTests {
    @Test func pagesAreContiguousDespiteHiddenEntries() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let eve = try await store.account("eve")
        let status = try await store.post("hello", by: ada)
        // Three out of four are from eve, who is then muted, so that whole pages have nothing to show.
        for index in 0..<60 {
            let sender = index % 4 == 0 ? bob : eve
            let post = try await store.post("post \(index)", by: sender)
            try await store.notify(ada, of: index % 8 == 0 ? .mention : .status, by: sender, post.id)
        }
        try await store.notify(ada, of: .favourite, by: bob, status.id)
        let all = try await store.read(ada, Pagination(limit: 80))
        #expect(all.entries.count == 61 && !all.hasOlder)
        try await store.mutes.mute(eve.id, by: ada.id, Mute())
        let shown = all.entries.filter { $0.from.id == bob.id }.map(\.id)
        for limit in [1, 2, 7, 16, 80] {
            #expect(try await Self.walkDown(store, ada, limit) == shown, "\(limit) down")
            #expect(try await Self.walkUp(store, ada, limit) == shown, "\(limit) up")
        }
        let since = try await store.read(ada, Pagination(limit: 80, sinceID: shown[3]))
        #expect(since.entries.map(\.id) == Array(shown[..<3]))
        try await store.mutes.mute(eve.id, by: ada.id, Mute(hidesNotifications: false))
        #expect(try await store.read(ada, Pagination(limit: 80)).entries == all.entries)
    }

    /// Follows the bounds of each page until the last one.
    private static func walkDown(_ store: TestStore, _ account: Account, _ limit: Int) async throws -> [Int64] {
        var found: [Int64] = []
        var page = Pagination(limit: limit)
        while true {
            let next = try await store.read(account, page)
            #expect(next.entries.count <= limit)
            found += next.entries.map(\.id)
            guard next.hasOlder, let oldest = next.oldest else { return found }
            page = Pagination(limit: limit, maxID: oldest)
        }
    }

    private static func walkUp(_ store: TestStore, _ account: Account, _ limit: Int) async throws -> [Int64] {
        var found: [Int64] = []
        var page = Pagination(limit: limit, minID: 0)
        while true {
            let next = try await store.read(account, page)
            #expect(next.entries.count <= limit)
            found = next.entries.map(\.id) + found
            guard let newest = next.newest else { return found }
            page = Pagination(limit: limit, minID: newest)
        }
    }

    @Test func notificationsAreFilteredByKindAndSender() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let others = [try await store.account("bob"), try await store.account("eve")]
        let status = try await store.post("hello", by: ada)
        for other in others {
            for kind in [Notification.Kind.follow, .followRequest] { try await store.notify(ada, of: kind, by: other) }
            for kind in [Notification.Kind.favourite, .reblog] {
                try await store.notify(ada, of: kind, by: other, status.id)
            }
        }
        let cases: [(NotificationFilter, [String])] = [
            (.init(), ["reblog", "favourite", "follow_request", "follow"]),
            (.init(kinds: [.follow, .reblog]), ["reblog", "follow"]), (.init(kinds: [.update]), []),
            (.init(kinds: []), []),
        ]
        for (filter, kinds) in cases {
            var found = try await store.read(ada, Pagination(limit: 80), filter).entries
            #expect(found.map(\.kind.rawValue) == kinds + kinds)
            #expect(found.map(\.from.username) == kinds.map { _ in "eve" } + kinds.map { _ in "bob" })
            #expect(found.allSatisfy { ($0.status?.id == status.id) == [.favourite, .reblog].contains($0.kind) })
            var chosen = filter
            chosen.from = others[0].id
            found = try await store.read(ada, Pagination(limit: 80), chosen).entries
            #expect(found.map(\.kind.rawValue) == kinds && found.allSatisfy { $0.from.username == "bob" })
        }
    }

    /// No method returns notifications that may no longer be shown.
    @Test func hiddenNotificationsAreOmitted() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let eve = try await store.account("eve")
        try await store.follows.follow(bob.id, by: ada.id)
        let forFollowers = try await store.post("for followers", by: bob, .followers)
        try await store.notify(ada, of: .status, by: bob, forFollowers.id)
        try await store.notify(ada, of: .follow, by: eve)
        #expect(try await store.shown(to: ada) == 2)
        try await store.follows.unfollow(bob.id, by: ada.id)
        #expect(try await store.shown(to: ada) == 1)
        try await store.follows.follow(bob.id, by: ada.id)
        #expect(try await store.shown(to: ada) == 2)
        try await store.suspend(eve)
        #expect(try await store.shown(to: ada) == 1)
        try await store.blocks.block(ada.id, by: bob.id)
        #expect(try await store.shown(to: ada) == 0)
        try await store.blocks.unblock(ada.id, by: bob.id)
        try await store.blocks.block(bob.id, by: ada.id)
        try await store.blocks.unblock(bob.id, by: ada.id)
        #expect(try await store.shown(to: ada) == 0)
    }

    @Test func notificationsBelongToTheirRecipient() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        for name in ["eve", "mallory"] { try await store.notify(ada, of: .follow, by: try await store.account(name)) }
        let ids = try await store.read(ada, Pagination(limit: 9)).entries.map(\.id)
        let start = try await store.changes.position().sequence
        #expect(try await store.notifications.notification(id: ids[0], of: bob.id) == nil)
        #expect(try await !store.notifications.dismiss(id: ids[0], of: bob.id))
        try await store.notifications.clear(of: bob.id)
        #expect(try await store.kinds(after: start).isEmpty)
        #expect(try await store.notifications.notification(id: ids[0], of: ada.id)?.id == ids[0])
        #expect(try await store.notifications.dismiss(id: ids[0], of: ada.id))
        #expect(try await !store.notifications.dismiss(id: ids[0], of: ada.id))
        #expect(try await store.read(ada, Pagination(limit: 9)).entries.map(\.id) == [ids[1]])
        for _ in 0..<2 { try await store.notifications.clear(of: ada.id) }
        #expect(try await store.kinds(after: start) == [.notificationsDismissed, .notificationsDismissed])
    }

    @Test func notificationsAfterTheMarkerAreUnread() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let start = try await store.changes.position().sequence
        for index in 0..<5 { try await store.notify(ada, of: .follow, by: try await store.account("user\(index)")) }
        let ids = try await store.read(ada, Pagination(limit: 9)).entries.map(\.id)
        #expect(try await store.notifications.unread(of: ada.id, limit: 100) == 5)
        #expect(try await store.notifications.unread(of: ada.id, limit: 3) == 3)
        for _ in 0..<2 {
            let markers = try await store.markers.move([.notifications: ids[1]], of: ada.id)
            #expect(markers.map(\.lastReadID) == [ids[1]] && markers.map(\.version) == [0])
        }
        #expect(try await store.notifications.unread(of: ada.id, limit: 100) == 1)
        store.clock.now += 5
        let moved = try await store.markers.move([.notifications: ids[0], .home: 7], of: ada.id)
        #expect(moved.map(\.timeline) == [.home, .notifications] && moved.map(\.version) == [0, 1])
        #expect(moved.allSatisfy { $0.updatedAt == store.clock.now })
        #expect(try await store.notifications.unread(of: ada.id, limit: 100) == 0)
        #expect(try await store.markers.markers(of: ada.id, [.home]) == [moved[0]])
        #expect(try await store.kinds(after: start).count { $0 == .markerMoved } == 3)
    }
}

extension TestStore {
    fileprivate func notify(
        _ account: Account, of kind: Notification.Kind, by sender: Account, _ status: Int64? = nil
    ) async throws {
        let now = clock.now
        try await database.commits.write {
            try $0.notify(account.id, of: kind, by: sender.id, status: status, at: now)
        }
    }

    fileprivate func read(
        _ account: Account, _ page: Pagination, _ filter: NotificationFilter = NotificationFilter()
    ) async throws -> Page<FeedCore.Notification> {
        try await notifications.notifications(of: account.id, page: page, filter)
    }

    /// The number of notifications shown: in the list, one by one, and counted.
    fileprivate func shown(to account: Account) async throws -> Int {
        let listed = try await read(account, Pagination(limit: 80)).entries
        #expect(try await notifications.unread(of: account.id, limit: 100) == listed.count)
        let ids = try await database.read { db in
            try db.fetchAll("SELECT id FROM notification WHERE account_id = \(account.id)", as: Int64.self)
        }
        for id in ids {
            let one = try await notifications.notification(id: id, of: account.id)
            #expect((one != nil) == listed.contains { $0.id == id })
        }
        return listed.count
    }
}
