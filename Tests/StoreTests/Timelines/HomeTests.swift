import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct HomeTests {
    @Test func deletedStatusIsGoneEverywhere() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let first = try await store.post("@bob #tag", by: ada)
        let reply = try await store.post("@ada", by: bob, replyTo: first.id)
        #expect(try await store.statuses.delete(id: first.id, by: bob.id) == nil)
        #expect(try await store.statuses.delete(id: first.id, by: ada.id)?.text == "@bob #tag")
        #expect(try await store.statuses.delete(id: first.id, by: ada.id) == nil)
        #expect(try await store.statuses.status(id: reply.id, for: nil)?.inReplyToID == nil)
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 0)
        let left = try await store.database.read {
            try $0.fetchOne(
                """
                SELECT (SELECT count(*) FROM mention WHERE status_id = \(first.id)) + (SELECT count(*)
                FROM status_tag)
                """, as: Int.self)
        }
        #expect(left == 0)
    }

    /// Other statuses at home between a status and its boost, and whether the boost is shown, too.
    @Test(arguments: [(0, false), (39, false), (40, true)])
    func boostIsNotShownShortlyAfterItsStatus(between: Int, isShown: Bool) async throws {
        let store = try TestStore()
        let (ada, bob, cleo) = (
            try await store.account("ada"), try await store.account("bob"), try await store.account("cleo")
        )
        for other in [bob, cleo] { try await store.follows.follow(other.id, by: ada.id) }
        let status = try await store.post("a status", by: bob)
        let stranger = try await store.account("stranger")
        let foreign = try await store.post("foreign", by: stranger)
        for number in 0..<between { try await store.post("status \(number)", by: [bob, ada][number % 2]) }
        // They are not at home.
        for number in 0..<50 { try await store.post("@stranger \(number)", by: bob, replyTo: foreign.id) }
        let boost = try await store.boosts.boost(status.id, visibility: nil, by: cleo.id)
        let home = try await Self.home(ada, store)
        #expect(home.contains(boost.pageID) == isShown && home.contains(status.id))
        #expect(try await Self.home(cleo, store).contains(boost.pageID))
        #expect(try await Self.home(stranger, store) == [foreign.id])
        try await store.follows.unfollow(bob.id, by: ada.id)
        #expect(try await Self.home(ada, store).contains(boost.pageID))
    }

    /// The own boost of a status that is at home anyway would only repeat it.
    @Test func ownBoostIsShownWithoutItsStatusOnly() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.follows.follow(bob.id, by: ada.id)
        let (theirs, own) = (try await store.post("theirs", by: bob), try await store.post("own", by: ada))
        for number in 0..<45 { try await store.post("status \(number)", by: bob) }
        let boosts = [
            try await store.boosts.boost(theirs.id, visibility: nil, by: ada.id).pageID,
            try await store.boosts.boost(own.id, visibility: nil, by: ada.id).pageID,
        ]
        #expect(try await Self.home(ada, store).filter(boosts.contains) == [])
        try await store.follows.unfollow(bob.id, by: ada.id)
        #expect(try await Self.home(ada, store) == [boosts[0], own.id])
    }

    /// The ids of the whole home timeline, read in both ways.
    private static func home(_ account: Account, _ store: TestStore) async throws -> [Int64] {
        var pages: [[Int64]] = []
        for manyFollows in [0, 60] {
            let reader = TimelineReader(
                .home(account.id), for: account.id, now: store.clock.now, manyFollows: manyFollows)
            pages.append(try await reader.page(Pagination(limit: 200), in: store.database).entries.map(\.pageID))
        }
        #expect(pages[0] == pages[1])
        return pages[0]
    }

    /// The languages of the statuses at home and of those that notify, and those of the follow.
    static let languages: [(follow: [String], shown: [String])] = [
        ([], ["de", "en", "en-GB", "e", "", "fr"]), (["en"], ["en", ""]), (["de", "fr"], ["de", "", "fr"]),
        (["en-GB"], ["en-GB", ""]), (["zh"], [""]),
    ]

    /// A status without a language always passes, as a boost does. Both ways of reading a home timeline are tested.
    @Test(arguments: languages)
    func followsAreRestrictedToLanguages(row: (follow: [String], shown: [String])) async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let follow = FollowUpdate(notifies: true, languages: row.follow)
        try await store.follows.follow(bob.id, by: ada.id, follow)
        for language in ["de", "en", "en-GB", "e", "", "fr"] {
            try await store.post(language + ".", by: bob, language: language.isEmpty ? nil : language)
        }
        try await store.post("de.", by: ada, language: "de")
        let expected = (row.shown.map { $0 + "." } + ["de."]).reversed()
        for manyFollows in [0, 60] {
            let reader = TimelineReader(.home(ada.id), for: ada.id, now: store.clock.now, manyFollows: manyFollows)
            let page = try await reader.page(Pagination(limit: 20), in: store.database)
            #expect(page.entries.map(\.text) == Array(expected), "\(manyFollows)")
        }
        let notified = try await store.notifications.notifications(
            of: ada.id, page: Pagination(limit: 20), NotificationFilter())
        #expect(notified.entries.compactMap(\.status?.text) == Array(expected.dropFirst()))
    }

    /// The cost of a page is bounded, even for a viewer who follows one silent account.
    @Test func costOfEveryPageIsBounded() async throws {
        let store = try TestStore()
        store.clock.now = 1_750_000_000_000
        try await store.importDemo()
        let lonely = try await store.account("lonely")
        let silent = try await store.account("silent")
        try await FollowStore(store.database).follow(silent.id, by: lonely.id, FollowUpdate())
        let accounts = try await store.accounts.list()
        let prolific = try #require(accounts.max { $0.statusesCount < $1.statusesCount })
        for viewer in [lonely] + accounts {
            let tags = TagFilter(any: ["books", "swift", "food", "music"], all: ["books"], none: ["x"])
            for timeline in [
                Timeline.home(viewer.id), .public, .account(viewer.id), .account(prolific.id), .tags(tags),
                .marked(.favourite, by: viewer.id),
            ] {
                let steps = try await Self.steps(store, timeline, viewer.id)
                #expect(steps < PageCost.bound, "\(timeline) of \(viewer.username): \(steps)")
            }
        }
    }

    /// The SQLite virtual machine steps of a page.
    private static func steps(_ store: TestStore, _ timeline: Timeline, _ viewer: Int64) async throws -> Int {
        try await store.database.read { db in
            try db.steps {
                let reader = TimelineReader(timeline, for: viewer, now: 1_750_000_000_000)
                _ = try reader.step(Pagination(limit: 21), isFirst: true, in: db)
            }
        }
    }
}
