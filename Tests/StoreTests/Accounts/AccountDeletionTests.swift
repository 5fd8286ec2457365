import FeedCore
import FeedTestSupport
import Logging
import TestKit
import Testing

@testable import FeedStore
@testable import feedserver

@Suite(.hangLimit)
struct AccountDeletionTests {
    /// Begins the removal of an account.
    private static func begin(_ account: Account, _ store: TestStore) async throws {
        try await store.moderation.perform(.remove, on: account.id)
    }

    @Test func accountIsHiddenAtOnceAndItsNameStaysTaken() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let status = try await store.post("@bob hello #tag", by: ada)
        _ = try await store.accounts.update(ada.id) { $0.displayName = "Ada Lovelace" }
        try await Self.begin(ada, store)
        #expect(try await store.statuses.status(id: status.id, for: bob.id) == nil)
        #expect(try await store.accounts.accounts(ids: [ada.id, bob.id]).map(\.id) == [bob.id])
        #expect(try await store.deletion.isPending(ada.id))
        #expect(try await store.deletion.complete(ada.id))
        #expect(try await !store.deletion.isPending(ada.id))
        #expect(try await store.deletion.pending() == [])
        let left = try #require(try await store.accounts.account(named: "ADA"))
        #expect(left.id == ada.id && left.username == "ada" && left.displayName.isEmpty && left.statusesCount == 0)
        let taken = await #expect(throws: FeedError.self) { try await store.account("Ada") }
        #expect(taken?.kind == .conflict)
        for action in ModerationAction.allCases {
            let error = await #expect(throws: FeedError.self) {
                try await store.moderation.perform(action, on: ada.id)
            }
            #expect(error?.kind == .notFound)
        }
    }

    @Test(.onSQLite) func removalThatFailsDoesNotDelayTheOthers() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.post("hello", by: ada)
        try await Self.begin(ada, store)
        store.clock.now += 1
        try await Self.begin(bob, store)
        try await store.database.commits.write { db in
            try db.execute(
                """
                CREATE TRIGGER stuck BEFORE DELETE ON status WHEN old.account_id = \(sql: String(ada.id))
                BEGIN SELECT raise(ABORT, 'stuck'); END
                """)
        }
        let task = MaintenanceTask.completeRemovals(store.deletion, logger: Logger(label: "test"))
        try await task.operation()
        #expect(try await store.deletion.pending() == [ada.id])
    }

    /// Requests that were authenticated before the removal add nothing after it.
    @Test func requestsInProgressAreRefused() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let status = try await store.post("hello", by: bob)
        try await Self.begin(ada, store)
        #expect(try await store.deletion.complete(ada.id))
        let file = StoredFile(
            name: "a.txt", ownerID: ada.id, blob: Blob(hash: .starting("", "0"), size: 1),
            type: "text/plain", modifiedAt: 1)
        let actions: [@Sendable () async throws -> Void] = [
            { try await store.post("late", by: ada) },
            { _ = try await store.boosts.boost(status.id, visibility: nil, by: ada.id) },
            { _ = try await store.statuses.set(.favourite, true, on: status.id, by: ada.id) },
            { try await store.follows.follow(bob.id, by: ada.id) },
            { try await store.blocks.block(bob.id, by: ada.id) },
            { try await store.mutes.mute(bob.id, by: ada.id, Mute()) },
            { try await store.notes.note("late", about: bob.id, by: ada.id) },
            { try await store.endorsements.endorse(bob.id, by: ada.id) },
            { _ = try await store.filters.create(FilterDraft(title: "late", contexts: [.home]), by: ada.id) },
            { _ = try await store.files.put(file, quota: nil) { _ in } },
            { _ = try await store.files.add([file], quota: nil) },
            { _ = try await store.image(by: ada) },
            { _ = try await store.accounts.update(ada.id) { $0.note = "late" } },
            { _ = try await store.reports.create(ReportDraft(targetID: bob.id), by: ada.id) },
            { _ = try await store.list(of: ada) },
            { try await store.tagFollows.follow(tag: "late", by: ada.id) },
            { _ = try await store.markers.move([.home: status.id], of: ada.id) },
            { _ = try await store.featuredTags.feature("late", by: ada.id) },
            { try await store.suggestions.dismiss(bob.id, by: ada.id) },
            { try await store.schedule("late", by: ada) },
        ]
        for (index, action) in actions.enumerated() {
            let error = await #expect(throws: FeedError.self, "\(index)") { try await action() }
            #expect(error?.kind == .forbidden, "\(index)")
        }
        #expect(try await AccountDeletionWorld.leftovers(of: ada.id, in: store) == [])
    }

    /// Cached pages hide replies to whom the viewer blocks or mutes, which reappear before the removal is complete.
    @Test(arguments: [true, false]) func endOfABlockOrMuteIsLogged(isBlock: Bool) async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        if isBlock {
            try await store.blocks.block(bob.id, by: ada.id)
        } else {
            try await store.mutes.mute(bob.id, by: ada.id, Mute())
        }
        try await Self.begin(bob, store)
        let start = try await store.changes.position().sequence
        #expect(try await store.deletion.step(bob.id) == .deleted(1))
        #expect(try await store.changes.changes(after: start, limit: 10).map(\.kind) == [.accountRemoved])
    }

    /// One transaction never deletes more than a bounded number of rows, however popular a status is.
    @Test func transactionsAreBounded() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let status = try await store.post("popular", by: ada)
        for number in 0..<450 {
            let fan = try await store.account("fan\(number)")
            _ = try await store.statuses.set(.favourite, true, on: status.id, by: fan.id)
            if number % 2 == 0 { _ = try await store.boosts.boost(status.id, visibility: nil, by: fan.id) }
            if number % 3 == 0 { try await store.follows.follow(ada.id, by: fan.id) }
        }
        try await Self.begin(ada, store)
        var steps = 0
        while true {
            let before = try await AccountDeletionWorld.rows(store)
            let start = try await store.changes.position().sequence
            guard try await store.deletion.step(ada.id) != .finished else { break }
            steps += 1
            let gone = before - (try await AccountDeletionWorld.rows(store))
            let changes = try await store.changes.position().sequence - start
            #expect(gone <= 1200 && changes <= 700, "\(gone) rows, \(changes) changes")
        }
        #expect(steps > 8)
        #expect(try await AccountDeletionWorld.leftovers(of: ada.id, in: store) == [])
        #expect(try await AccountDeletionWorld.wrongCounts(store) == [])
    }

    @Test func removalWaitsForARunningImport() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let session = try await ImportSession.begin(in: store.database)
        let line =
            #"{"kind":"status","author":"ada","created_at":"2023-01-01T00:00:00Z","text":"old"}"#
        try await session.add(try TestStore.records(line))
        try await Self.begin(ada, store)
        #expect(try await !store.deletion.complete(ada.id))
        _ = try await session.publish()
        #expect(try await store.deletion.complete(ada.id))
        #expect(try await AccountDeletionWorld.leftovers(of: ada.id, in: store) == [])
        // The name is not given to an imported account either.
        for line in [#"{"kind":"account","username":"ada"}"#, line] {
            let error = await #expect(throws: FeedError.self) { try await store.importLines(line) }
            #expect(error?.kind == .malformed)
        }
    }

    @Test func leftoversOfAnInterruptedImportAreRemoved() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let session = try await ImportSession.begin(in: store.database)
        let line = #"{"kind":"status","author":"ada","created_at":"2023-01-01T00:00:00Z","text":"old"}"#
        try await session.add(try TestStore.records(line))
        // As if the import had been killed.
        session.release()
        try await Self.begin(ada, store)
        #expect(try await store.deletion.complete(ada.id))
        #expect(try await AccountDeletionWorld.leftovers(of: ada.id, in: store) == [])
    }

    @Test func reportsAboutARemovedAccountAreResolvedAndItsOwnAreDeleted() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let status = try await store.post("spam", by: ada)
        var draft = ReportDraft(targetID: ada.id)
        draft.statusIDs = [status.id]
        let about = try await store.reports.create(draft, by: bob.id)
        _ = try await store.reports.create(ReportDraft(targetID: bob.id), by: ada.id)
        try await Self.begin(ada, store)
        #expect(try await store.deletion.complete(ada.id))
        let left = try await store.reports.reports(ReportSelection(), page: Pagination(limit: 9), for: nil)
        #expect(left.map(\.id) == [about.id] && left[0].resolution != nil)
        #expect(left[0].target.username == "ada" && left[0].statusIDs == [status.id] && left[0].statuses == [])
    }
}
