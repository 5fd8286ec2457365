import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite("Rows of deleted statuses", .hangLimit) struct DeletionTests {
    private static func last(_ kind: Change.Kind, _ store: TestStore) async throws -> Change? {
        try await store.changes.changes(after: 0, limit: 10_000).last { $0.kind == kind }
    }

    /// The accounts that are notified of the deletion.
    private static func notified(_ world: FeedFixture) async throws -> Set<Int64> {
        var notified: Set<Int64> = []
        for viewer in [world.ada, world.bob, world.cleo] {
            if try await world.all(viewer).contains(where: { $0.event == .delete }) { notified.insert(viewer.id) }
        }
        return notified
    }

    @Test(arguments: Visibility.allCases) func rowsKeepWhoCouldSeeTheStatus(_ visibility: Visibility) async throws {
        let world = try await FeedFixture()
        let status = try await world.store.post("@bob hello #One #two", by: world.ada, visibility)
        // Accounts that are no longer mentioned can still see the status.
        try await world.edit(status, "@cleo hello #Three")
        _ = try await world.store.statuses.delete(id: status.id, by: world.ada.id)
        let row = try #require(try await Self.last(.statusDeleted, world.store))
        #expect(row.subject == status.id && row.account == world.ada.id && row.visibility == visibility)
        #expect(row.tags == (visibility == .public ? ["three"] : []))
        let hidden = !visibility.isPublicOrUnlisted
        #expect(row.mentions == (hidden ? [world.bob.id, world.cleo.id].sorted() : []))
        #expect(try await Self.notified(world) == [world.ada.id, world.bob.id, world.cleo.id])
    }

    @Test(arguments: [Visibility.followers, .direct])
    func deletionOfAHiddenStatusIsHidden(_ visibility: Visibility) async throws {
        let world = try await FeedFixture()
        try await world.store.follows.follow(world.ada.id, by: world.bob.id)
        world.store.clock.now += 1000
        let status = try await world.store.post("hello", by: world.ada, visibility)
        world.store.clock.now += 1000
        _ = try await world.store.statuses.delete(id: status.id, by: world.ada.id)
        let followers = visibility == .followers ? [world.bob.id] : []
        #expect(try await Self.notified(world) == Set([world.ada.id] + followers))
        // New followers could not see it, and former followers are not notified.
        world.store.clock.now += 1000
        try await world.store.follows.follow(world.ada.id, by: world.cleo.id)
        #expect(try await Self.notified(world) == Set([world.ada.id] + followers))
        try await world.store.follows.unfollow(world.ada.id, by: world.bob.id)
        #expect(try await Self.notified(world) == [world.ada.id])
    }

    /// A mention does not let an account that the author blocks see the status, even if it is unblocked afterwards.
    @Test func blockedMentionsAreNotReported() async throws {
        let world = try await FeedFixture()
        try await world.store.blocks.block(world.bob.id, by: world.ada.id)
        let status = try await world.store.post("@bob @cleo hello", by: world.ada, .direct)
        _ = try await world.store.statuses.delete(id: status.id, by: world.ada.id)
        #expect(try await Self.notified(world) == [world.ada.id, world.cleo.id])
        try await world.store.blocks.unblock(world.bob.id, by: world.ada.id)
        #expect(try await Self.notified(world) == [world.ada.id, world.cleo.id])
    }

    @Test func rowsOfOlderVersionsReachOnlyTheAuthor() async throws {
        let world = try await FeedFixture()
        let status = try await world.store.post("hello", by: world.ada)
        _ = try await world.store.statuses.delete(id: status.id, by: world.ada.id)
        try await world.store.database.commits.write { db in
            try db.execute("UPDATE change SET visibility = NULL, mentions = '', tags = ''")
        }
        #expect(try await Self.notified(world) == [world.ada.id])
    }

    @Test func removedBoostsKeepTheirVisibility() async throws {
        let world = try await FeedFixture()
        let status = try await world.store.post("hello", by: world.ada)
        let boost = try await world.store.boosts.boost(status.id, visibility: .followers, by: world.bob.id)
        _ = try await world.store.statuses.delete(id: boost.pageID, by: world.bob.id)
        let row = try #require(try await Self.last(.unboosted, world.store))
        #expect(row.subject == boost.pageID && row.account == world.bob.id && row.related == status.id)
        #expect(row.visibility == .followers)
        #expect(try await Self.notified(world) == [world.bob.id])
    }

    /// The deletion of a boosted status is enough: apps remove its boosts with it.
    @Test func removedBoostsOfDeletedStatusesAreNotReported() async throws {
        let world = try await FeedFixture()
        let status = try await world.store.post("hello", by: world.ada)
        _ = try await world.store.boosts.boost(status.id, visibility: nil, by: world.bob.id)
        _ = try await world.store.boosts.unboost(status.id, by: world.bob.id)
        _ = try await world.store.statuses.delete(id: status.id, by: world.ada.id)
        #expect(try await world.all(world.cleo).map(\.id) == [status.id])
    }

    @Test func removalOfAnAccountIsReported() async throws {
        let world = try await FeedFixture()
        let open = try await world.store.post("hello #tag", by: world.ada)
        let secret = try await world.store.post("@bob secret", by: world.ada, .direct)
        let other = try await world.store.post("other", by: world.cleo)
        let boost = try await world.store.boosts.boost(other.id, visibility: nil, by: world.ada.id)
        try await world.store.moderation.perform(.remove, on: world.ada.id)
        #expect(try await world.store.deletion.complete(world.ada.id))
        let deleted = { (viewer: Account) in
            Set(try await world.all(viewer).filter { $0.event == .delete }.map(\.id))
        }
        #expect(try await deleted(world.bob) == [open.id, secret.id, boost.pageID])
        #expect(try await deleted(world.cleo) == [open.id, boost.pageID])
    }

    /// Like a server that follows the log: each row is read before the next transaction.
    @Test func followersAreNotifiedOfTheRemovalOfAnAccount() async throws {
        let world = try await FeedFixture()
        try await world.store.follows.follow(world.ada.id, by: world.bob.id)
        world.store.clock.now += 1000
        let status = try await world.store.post("for followers", by: world.ada, .followers)
        try await world.store.moderation.perform(.remove, on: world.ada.id)
        var notified: [[Int64?]] = [[], []]
        while try await world.store.deletion.step(world.ada.id) != .finished {
            for (index, viewer) in [world.bob, world.cleo].enumerated() {
                let found = try await world.all(viewer).filter { $0.event == .delete }.map(\.id)
                notified[index] = notified[index].count > found.count ? notified[index] : found
            }
        }
        #expect(notified == [[status.id], []])
        #expect(try await AccountDeletionWorld.leftovers(of: world.ada.id, in: world.store) == [])
    }

    /// Nobody could see its statuses any more, so nobody learns their ids. Cached pages become invalid all the same.
    @Test func removalOfASuspendedAccountIsNotReported() async throws {
        let world = try await FeedFixture()
        try await world.store.follows.follow(world.ada.id, by: world.bob.id)
        let (parent, status) = try await Self.suspend(world)
        let start = try await world.store.changes.position().sequence
        try await world.store.moderation.perform(.remove, on: world.ada.id)
        #expect(try await world.store.deletion.complete(world.ada.id))
        try await Self.checkNobodyIsNotified(of: status, replyTo: parent, since: start, world)
    }

    /// An operator may also remove a single status, or a boost.
    @Test func removalOfAStatusOfASuspendedAccountIsNotReported() async throws {
        let world = try await FeedFixture()
        let (parent, status) = try await Self.suspend(world)
        let start = try await world.store.changes.position().sequence
        for id in try await Self.statuses(of: world.ada, world) {
            #expect(try await world.store.statuses.remove(id: id) != nil)
        }
        try await Self.checkNobodyIsNotified(of: status, replyTo: parent, since: start, world)
    }

    /// ada replies publicly to cleo, boosts cleo, writes to bob, and is suspended, all within a millisecond.
    private static func suspend(_ world: FeedFixture) async throws -> (parent: Status, status: Status) {
        let parent = try await world.store.post("parent", by: world.cleo)
        let status = try await world.store.post("open #tag", by: world.ada, replyTo: parent.id)
        try await world.store.post("@bob secret", by: world.ada, .direct)
        _ = try await world.store.boosts.boost(parent.id, visibility: nil, by: world.ada.id)
        try await world.store.moderation.perform(.suspend, on: world.ada.id)
        return (parent, status)
    }

    private static func statuses(of account: Account, _ world: FeedFixture) async throws -> [Int64] {
        try await world.store.database.read { db in
            try db.fetchAll("SELECT id FROM status WHERE account_id = \(account.id) ORDER BY id", as: Int64.self)
        }
    }

    private static func checkNobodyIsNotified(
        of status: Status, replyTo parent: Status, since start: Int64, _ world: FeedFixture
    ) async throws {
        let rows = try await world.store.changes.changes(after: start, limit: 1000)
            .filter { [.statusDeleted, .unboosted].contains($0.kind) }
        #expect(rows.count == 3)
        for viewer in [world.bob, world.cleo] {
            #expect(try await world.all(viewer).allSatisfy { $0.event != .delete })
        }
        var readers = SubscribedAccounts()
        (readers.home, readers.listed) = ([world.bob.id, world.cleo.id], [world.bob.id, world.cleo.id])
        readers.direct = [world.bob.id]
        for recipients in try await world.store.streams.recipients(of: rows, among: readers) {
            for stream in [StreamName.user, .public, .publicLocal, .hashtag("tag"), .direct] {
                for viewer in [nil, world.bob.id, world.cleo.id] {
                    #expect(recipients.events(on: stream, for: viewer) == [], "\(recipients.change)")
                }
            }
        }
        var (page, thread) = (CacheInvalidation(), CacheInvalidation())
        (page.statuses, thread.statuses) = ([status.id], [parent.id])
        #expect(rows.contains { page.areAffected(by: $0) } && rows.contains { thread.areAffected(by: $0) })
    }
}
