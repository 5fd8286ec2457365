import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct FollowTests {
    @Test func followingAgainChangesOnlyTheGivenOptions() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let start = try await store.changes.position().sequence
        let wishes: [(FollowUpdate, FollowOptions)] = [
            (FollowUpdate(), FollowOptions()),
            (FollowUpdate(notifies: true), FollowOptions(notifies: true)),
            (FollowUpdate(showsReblogs: false), FollowOptions(showsReblogs: false, notifies: true)),
            (FollowUpdate(), FollowOptions(showsReblogs: false, notifies: true)),
            (
                FollowUpdate(languages: ["en", "zh-TW"]),
                FollowOptions(showsReblogs: false, notifies: true, languages: ["en", "zh-TW"])
            ),
            (FollowUpdate(), FollowOptions(showsReblogs: false, notifies: true, languages: ["en", "zh-TW"])),
            (FollowUpdate(languages: []), FollowOptions(showsReblogs: false, notifies: true)),
        ]
        for (update, expected) in wishes {
            try await store.follows.follow(bob.id, by: ada.id, update)
            let found = try await store.relationships.relationships(of: ada.id, to: [bob.id])
            #expect(found.map(\.following) == [expected])
        }
        #expect(try await store.accounts.account(id: bob.id)?.followersCount == 1)
        let changes = Array(repeating: Change.Kind.followed, count: 4)
        #expect(try await store.kinds(after: start) == [.followed, .notified] + changes)
    }

    @Test func followRequestKeepsItsOptionsUntilAccepted() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        try await store.lock(bob)
        let start = try await store.changes.position().sequence
        try await store.follows.follow(bob.id, by: ada.id)
        try await store.follows.follow(bob.id, by: ada.id, FollowUpdate(notifies: true, languages: ["en"]))
        let wish = FollowOptions(notifies: true, languages: ["en"])
        #expect(try await store.relationships.relationships(of: ada.id, to: [bob.id]).first?.requested == wish)
        #expect(
            try await store.follows.requests(to: bob.id, page: Pagination(limit: 9)).map(\.account.username) == ["ada"])
        try await store.follows.accept(ada.id, by: bob.id)
        #expect(try await store.follows.requests(to: bob.id, page: Pagination(limit: 9)).isEmpty)
        let relationship = try await store.relationships.relationships(of: ada.id, to: [bob.id]).first
        #expect(relationship?.following == wish && relationship?.requested == nil)
        #expect(
            try await store.kinds(after: start) == [
                .followRequested, .notified, .followRequested, .followed, .notified,
            ])
    }

    /// An import may exceed the maximum. Then options can still be changed, and pending requests be accepted.
    @Test func numberOfFollowsAndRequestsIsLimited() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let (bob, cleo, dan) = (
            try await store.account("bob"), try await store.account("cleo"), try await store.account("dan")
        )
        try await store.lock(cleo)
        try await store.follows.follow(bob.id, by: ada.id)
        try await store.database.commits.write { db in
            try db.execute("UPDATE account SET following_count = \(FollowRule.maximum - 1) WHERE id = \(ada.id)")
        }
        try await store.follows.follow(cleo.id, by: ada.id)
        for account in [dan, try await store.account("eve")] {
            let error = await #expect(throws: FeedError.self) {
                try await store.follows.follow(account.id, by: ada.id)
            }
            #expect(error?.kind == .invalid)
        }
        try await store.follows.follow(bob.id, by: ada.id, FollowUpdate(notifies: true))
        try await store.follows.accept(ada.id, by: cleo.id)
        #expect(try await store.accounts.account(id: ada.id)?.followingCount == FollowRule.maximum)
        try await store.follows.unfollow(bob.id, by: ada.id)
        try await store.follows.follow(dan.id, by: ada.id)
    }

    @Test func selfUnknownAndSuspendedAccountsCannotBeFollowedBlockedOrMuted() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        try await store.suspend(bob)
        let start = try await store.changes.position().sequence
        for (id, kind) in [(ada.id, FeedError.Kind.forbidden), (bob.id, .notFound), (1, .notFound)] {
            for verb in [Verb.follow, .block, .mute] {
                let error = await #expect(throws: FeedError.self) { try await verb.apply(id, by: ada.id, in: store) }
                #expect(error?.kind == kind, "\(verb) \(id)")
            }
        }
        #expect(try await store.kinds(after: start).isEmpty)
    }

    /// Suspended accounts are omitted from lists, but keep their follows.
    @Test func suspendedAccountsAreOmittedFromLists() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let eve = try await store.account("eve")
        try await store.follows.follow(bob.id, by: ada.id)
        try await store.follows.follow(ada.id, by: bob.id)
        try await store.mutes.mute(bob.id, by: ada.id, Mute())
        try await store.lock(eve)
        try await store.follows.follow(eve.id, by: bob.id)
        for expected in [1, 0] {
            let page = Pagination(limit: 9)
            #expect(try await store.follows.followers(of: ada.id, page: page, for: ada.id).count == expected)
            #expect(try await store.follows.following(of: ada.id, page: page, for: nil).count == expected)
            #expect(try await store.mutes.mutes(of: ada.id, page: page).count == expected)
            #expect(try await store.relationships.relationships(of: ada.id, to: [bob.id, 1]).count == expected)
            #expect(try await store.accounts.accounts(ids: [1, bob.id]).count == expected)
            #expect(try await store.follows.requests(to: eve.id, page: page).count == expected)
            #expect(try await store.follows.requestsCount(to: eve.id) == expected)
            try await store.suspend(bob)
        }
    }

    /// Lists of other accounts omit accounts that the viewer blocks or mutes, and accounts that block the viewer.
    @Test func listsOfOthersOmitBlockedAccounts() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let eve = try await store.account("eve")
        var others: [Account] = []
        for name in ["blocked", "blocker", "muted", "over", "plain"] { others.append(try await store.account(name)) }
        for other in others {
            try await store.follows.follow(ada.id, by: other.id)
            try await store.follows.follow(other.id, by: ada.id)
        }
        try await store.blocks.block(others[0].id, by: eve.id)
        try await store.blocks.block(eve.id, by: others[1].id)
        try await store.mutes.mute(others[2].id, by: eve.id, Mute())
        try await store.mutes.mute(others[3].id, by: eve.id, Mute(expiresAt: store.clock.now + 1))
        store.clock.now += 2
        let cases: [(Int64?, [String])] = [
            (eve.id, ["plain", "over"]), (nil, ["plain", "over", "muted", "blocker", "blocked"]),
            (ada.id, ["plain", "over", "muted", "blocker", "blocked"]),
        ]
        for (viewer, expected) in cases {
            let page = Pagination(limit: 9)
            #expect(
                try await store.follows.followers(of: ada.id, page: page, for: viewer).map(\.username) == expected)
            #expect(
                try await store.follows.following(of: ada.id, page: page, for: viewer).map(\.username) == expected)
        }
        try await store.blocks.block(eve.id, by: ada.id)
        #expect(try await store.follows.followers(of: ada.id, page: Pagination(limit: 9), for: eve.id).isEmpty)
    }

    @Test func pagesAreContiguous() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.lock(ada)
        var ids: [Int64] = []
        for index in 0..<7 {
            let other = try await store.account("user\(index)")
            try await store.follows.follow(other.id, by: ada.id)
            try await store.blocks.block(ada.id, by: other.id)
            try await store.blocks.unblock(ada.id, by: other.id)
            try await store.follows.follow(ada.id, by: other.id)
            try await store.mutes.mute(other.id, by: ada.id, Mute())
            try await store.follows.follow(other.id, by: ada.id)
            ids.append(other.id)
        }
        let newestFirst: [Int64] = ids.reversed()
        let page = Pagination(limit: 3, maxID: newestFirst[1])
        #expect(
            try await store.follows.following(of: ada.id, page: page, for: nil).map(\.id) == Array(newestFirst[2...4]))
        #expect(try await store.mutes.mutes(of: ada.id, page: page).map(\.account.id) == Array(newestFirst[2...4]))
        let up = Pagination(limit: 2, minID: ids[2])
        #expect(try await store.follows.following(of: ada.id, page: up, for: nil).map(\.id) == [ids[4], ids[3]])
        let requests = try await store.follows.requests(to: ada.id, page: Pagination(limit: 9))
        #expect(requests.map(\.account.id) == newestFirst)
        let rest = try await store.follows.requests(to: ada.id, page: Pagination(limit: 9, maxID: requests[4].id))
        #expect(rest == Array(requests[5...]))
        for id in ids { try await store.blocks.block(id, by: ada.id) }
        #expect(try await store.blocks.blocks(of: ada.id, page: page).map(\.id) == Array(newestFirst[2...4]))
    }

    /// Nothing may depend on a follow that an unfinished import may still roll back.
    @Test func unfinishedImportPreventsChanges() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        try await store.follows.follow(bob.id, by: ada.id)
        try await store.database.commits.write { db in
            try db.execute("INSERT INTO staged_import (id, started_at) VALUES (7, 0)")
            try db.execute("UPDATE follow SET import_id = 7")
        }
        for verb in [Verb.follow, .block] {
            let error = await #expect(throws: FeedError.self) { try await verb.apply(bob.id, by: ada.id, in: store) }
            #expect(error?.kind == .unavailable && error?.retryAfter != nil)
        }
        #expect(try await store.blocks.blocks(of: ada.id, page: Pagination(limit: 9)).isEmpty)
        #expect(try await store.follows.following(of: ada.id, page: Pagination(limit: 9), for: nil).isEmpty)
        try await store.database.commits.write { try $0.execute("DELETE FROM staged_import") }
        #expect(try await store.follows.following(of: ada.id, page: Pagination(limit: 9), for: nil).count == 1)
    }

    private enum Verb {
        case follow, block, mute

        func apply(_ id: Int64, by account: Int64, in store: TestStore) async throws {
            switch self {
            case .follow: try await store.follows.follow(id, by: account)
            case .block: try await store.blocks.block(id, by: account)
            case .mute: try await store.mutes.mute(id, by: account, Mute())
            }
        }
    }
}

extension TestStore {
    func suspend(_ account: Account) async throws {
        try await database.commits.write {
            try $0.execute("UPDATE account SET suspended_at = 1 WHERE id = \(account.id)")
        }
    }
}
