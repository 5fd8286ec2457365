import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

@Suite(.hangLimit)
struct ScheduledStatusStoreTests {
    private static func ids(_ store: TestStore, of account: Account, _ page: Pagination) async throws -> [Int64] {
        try await store.scheduledStatuses.statuses(of: account.id, page: page).map(\.id)
    }

    @Test func statusIsScheduledListedMovedAndCanceled() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let start = try await store.changes.position().sequence
        let first = try await store.scheduled("first", by: ada)
        let second = try await store.scheduled("second", by: ada, in: 5)
        #expect(first.scheduledAt == store.clock.now + 600_000 && first.parameters.text == "first")
        #expect(try await Self.ids(store, of: ada, Pagination(limit: 9)) == [second.id, first.id])
        #expect(try await Self.ids(store, of: ada, Pagination(limit: 1)) == [second.id])
        #expect(try await Self.ids(store, of: ada, Pagination(limit: 9, maxID: second.id)) == [first.id])
        #expect(try await Self.ids(store, of: ada, Pagination(limit: 1, minID: 0)) == [first.id])
        #expect(try await store.scheduledStatuses.status(id: first.id, of: ada.id) == first)

        store.clock.now += 60_000
        let moved = try await store.scheduling.move(first.id, to: store.clock.now + 300_000, of: ada.id)
        #expect(moved.scheduledAt == store.clock.now + 300_000 && moved.parameters == first.parameters)
        let soon = await #expect(throws: FeedError.self) {
            try await store.scheduling.move(first.id, to: store.clock.now + 299_999, of: ada.id)
        }
        #expect(soon?.kind == .invalid)
        try await store.scheduledStatuses.cancel(second.id, of: ada.id)
        #expect(try await Self.ids(store, of: ada, Pagination(limit: 9)) == [first.id])

        // Nobody else can see or change it, and nobody sees anything of it.
        #expect(try await Self.ids(store, of: bob, Pagination(limit: 9)) == [])
        #expect(try await store.scheduledStatuses.status(id: first.id, of: bob.id) == nil)
        for account in [bob.id, 0] {
            let move = await #expect(throws: FeedError.self) {
                try await store.scheduling.move(first.id, to: store.clock.now + 900_000, of: account)
            }
            let cancel = await #expect(throws: FeedError.self) {
                try await store.scheduledStatuses.cancel(first.id, of: account)
            }
            #expect(move?.kind == .notFound && cancel?.kind == .notFound)
        }
        #expect(try await store.kinds(after: start) == [])
        #expect(try await store.accounts.counts().statuses == 0)
    }

    static let refused: [(text: String, minutes: Int64, replyTo: Int64?, kind: FeedError.Kind)] = [
        ("soon", 4, nil, .invalid), ("past", -1, nil, .invalid), ("", 10, nil, .invalid),
        (String(repeating: "x", count: 501), 10, nil, .invalid), ("reply", 10, 1, .notFound),
    ]

    @Test(arguments: refused)
    func sameChecksAsForPostingApply(
        row: (text: String, minutes: Int64, replyTo: Int64?, kind: FeedError.Kind)
    ) async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let error = await #expect(throws: FeedError.self) {
            try await store.schedule(row.text, by: ada, in: row.minutes, replyTo: row.replyTo)
        }
        #expect(error?.kind == row.kind)
        #expect(try await Self.ids(store, of: ada, Pagination(limit: 9)) == [])
    }

    @Test func accountMayHaveThreeHundred() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let last = try await store.scheduled("0", by: ada)
        for number in 1..<ScheduledStatusRule.maximumPerAccount { try await store.schedule("\(number)", by: ada) }
        let error = await #expect(throws: FeedError.self) { try await store.schedule("one more", by: ada) }
        #expect(error?.kind == .invalid)
        try await store.schedule("bob's", by: bob)
        try await store.scheduledStatuses.cancel(last.id, of: ada.id)
        try await store.schedule("again", by: ada)
    }

    /// Also when it is too late to schedule for that time, when it has been published, and while two requests run.
    @Test func repeatedKeyReturnsTheSame() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        var draft = StatusDraft(text: "once")
        draft.idempotencyKey = "key"
        let time = store.clock.now + 600_000
        let results = try await withThrowingTaskGroup(of: SchedulingResult.self) { [draft] group in
            for _ in 0..<8 { group.addTask { try await store.scheduling.schedule(draft, at: time, by: ada) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 8 && results.allSatisfy { $0 == results[0] })
        let other = try await store.scheduling.schedule(draft, at: time, by: bob)
        #expect(other != results[0])

        store.clock.now = time - 1000
        #expect(try await store.scheduling.schedule(draft, at: time, by: ada) == results[0])
        store.clock.now = time
        try await store.scheduling.publishDue()
        let status = try await store.only(of: ada)
        #expect(try await store.scheduling.schedule(draft, at: time, by: ada) == .published(status))
        let another = try await store.schedule("other", by: ada, key: "another key")
        #expect(another != .published(status))

        // A key is forgotten a day after its last use.
        store.clock.now += IdempotencyKey.lifetime
        try await store.statuses.pruneIdempotencyKeys()
        guard case .scheduled = try await store.schedule("once", by: ada, key: "key") else {
            Issue.record("the key is still known")
            return
        }
    }

    @Test func filesAreKeptAndReserved() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let (first, second) = (try await store.image(1, by: ada, "one"), try await store.image(2, by: ada, "two"))
        let scheduled = try await store.scheduled("pictures", by: ada, in: 10 * 24 * 60, media: [second, first])
        #expect(scheduled.media == [second, first].compactMap(\.attachment))
        let refusals: [() async throws -> Void] = [
            { try await store.post("now", by: ada, media: [first]) },
            { try await store.schedule("twice", by: ada, media: [first]) },
            { try await store.media.delete(first.id, of: ada.id) },
        ]
        for refused in refusals {
            let error = await #expect(throws: FeedError.self) { try await refused() }
            #expect(error?.kind == .invalid)
        }
        store.clock.now += 5 * MediaLimits.unattachedLifetime
        #expect(try await store.media.removeExpired() == 0)
        #expect(try await store.media.publicMedia(key: first.key) != nil)

        try await store.scheduledStatuses.cancel(scheduled.id, of: ada.id)
        #expect(try await store.media.removeExpired() == 0)
        try await store.post("now", by: ada, media: [first])
        store.clock.now += MediaLimits.unattachedLifetime
        #expect(try await store.media.removeExpired() == 1)
        #expect(try await store.media.media(id: second.id, of: ada.id) == nil)
    }

    @Test func refusedFilesLeaveEverythingUsable() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let (own, foreign) = (try await store.image(1, by: ada), try await store.image(2, by: bob))
        let error = await #expect(throws: FeedError.self) {
            try await store.schedule("no", by: ada, media: [own, foreign])
        }
        #expect(error?.kind == .invalid)
        #expect(try await Self.ids(store, of: ada, Pagination(limit: 9)) == [])
        try await store.schedule("yes", by: ada, media: [own])
    }

    @Test func removedAccountLosesThem() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        for account in [ada, bob] {
            try await store.schedule("later", by: account, media: [try await store.image(by: account)])
        }
        try await store.moderation.perform(.remove, on: ada.id)
        #expect(try await store.deletion.complete(ada.id))
        #expect(try await Self.ids(store, of: ada, Pagination(limit: 9)) == [])
        #expect(try await Self.ids(store, of: bob, Pagination(limit: 9)).count == 1)
        store.clock.now += 600_000
        try await store.scheduling.publishDue()
        #expect(try await store.accounts.counts().statuses == 1)
    }
}

extension TestStore {
    /// Schedules a status that did not exist before.
    func scheduled(
        _ text: String, by author: Account, in minutes: Int64 = 10, replyTo: Int64? = nil, media: [StoredMedia] = []
    ) async throws -> ScheduledStatus {
        guard
            case .scheduled(let scheduled) = try await schedule(
                text, by: author, in: minutes, replyTo: replyTo, media: media)
        else { throw FeedError.notFound }
        return scheduled
    }

    /// The statuses of an account, the newest first.
    func all(of account: Account) async throws -> [Status] {
        try await timelines.timeline(.account(account.id), page: Pagination(limit: 40), for: account.id).entries
    }

    /// The only status of an account.
    func only(of account: Account) async throws -> Status {
        let found = try await all(of: account)
        return try #require(found.count == 1 ? found.first : nil, "\(found.count) statuses")
    }
}
