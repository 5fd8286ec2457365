import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct PollStoreTests {
    private static let draft = PollDraft(options: ["a", "b", "c"], seconds: 300)
    private static let choosingSeveral = PollDraft(options: ["a", "b", "c"], seconds: 300, isMultiple: true)

    private static func town() async throws -> (store: TestStore, ada: Account, bob: Account, cleo: Account) {
        let store = try TestStore()
        return (store, try await store.account("ada"), try await store.account("bob"), try await store.account("cleo"))
    }

    private static func kind(_ body: () async throws -> Void) async -> FeedError.Kind? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? FeedError)?.kind
        }
    }

    @Test func votesAreCountedAndShownToTheirVoter() async throws {
        let (store, ada, bob, cleo) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.choosingSeveral).id
        let start = try await store.changes.position().sequence
        let voted = try await store.polls.vote([2, 0], in: id, by: bob.id)
        #expect(voted.poll?.ownVotes == [0, 2] && voted.poll?.votersCount == 1)
        // As in Mastodon, further options can be chosen later.
        _ = try await store.polls.vote([1], in: id, by: bob.id)
        _ = try await store.polls.vote([0], in: id, by: cleo.id)
        let rows = try await store.changes.changes(after: start, limit: 9)
        #expect(rows.map(\.kind) == [.pollVoted, .pollVoted, .pollVoted])
        #expect(rows.allSatisfy { $0.subject == id } && rows.map(\.account) == [bob.id, bob.id, cleo.id])
        for (viewer, own) in [(nil, []), (ada.id, []), (bob.id, [0, 1, 2]), (cleo.id, [0])] as [(Int64?, [Int])] {
            let poll = try #require(try await store.statuses.status(id: id, for: viewer)?.poll)
            #expect(poll.options.map(\.votesCount) == [2, 1, 1] && poll.votersCount == 2 && poll.ownVotes == own)
            #expect(poll.id == id && poll.titles == ["a", "b", "c"] && poll.expiresAt == store.clock.now + 300_000)
            #expect(poll.isMultiple && !poll.hidesTotals && !poll.isExpired)
        }
    }

    @Test func refusedVotesStoreNothing() async throws {
        let (store, ada, bob, cleo) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.draft).id
        let hidden = try await store.post("who?", by: ada, .followers, poll: Self.draft).id
        let plain = try await store.post("no poll", by: ada).id
        let boost = try await store.boosts.boost(id, visibility: nil, by: cleo.id).pageID
        try await store.blocks.block(ada.id, by: cleo.id)
        let blocked = try await store.post("from one who blocks", by: cleo, poll: Self.draft).id
        _ = try await store.polls.vote([0], in: id, by: bob.id)
        let start = try await store.changes.position().sequence
        let rows: [(choices: [Int], id: Int64, by: Account, kind: FeedError.Kind)] = [
            ([0], id, bob, .invalid), ([1], id, bob, .invalid), ([0], id, ada, .invalid), ([3], id, bob, .invalid),
            ([0], hidden, bob, .notFound), ([0], plain, bob, .notFound), ([0], boost, bob, .notFound),
            ([0], 1, bob, .notFound), ([0], id, cleo, .forbidden), ([0], blocked, ada, .notFound),
        ]
        for row in rows {
            let kind = await Self.kind { _ = try await store.polls.vote(row.choices, in: row.id, by: row.by.id) }
            #expect(kind == row.kind, "\(row.choices) in \(row.id) by \(row.by.username)")
        }
        #expect(try await store.kinds(after: start).isEmpty)
        #expect(try await store.statuses.status(id: id, for: nil)?.poll?.votesCount == 1)
    }

    /// Whichever comes first, a vote is either part of the result that voters are told, or refused.
    @Test func votesAfterTheEndAreRefused() async throws {
        let (store, ada, bob, cleo) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.draft).id
        let end = store.clock.now + 300_000
        store.clock.now = end - 1
        #expect(try await !store.polls.closeNext())
        _ = try await store.polls.vote([0], in: id, by: bob.id)
        store.clock.now = end
        // Not closed yet.
        #expect(await Self.kind { _ = try await store.polls.vote([1], in: id, by: cleo.id) } == .invalid)
        #expect(try await store.statuses.status(id: id, for: nil)?.poll?.isExpired == false)
        #expect(try await store.polls.closeNext())
        // A server whose clock is behind.
        store.clock.now = end - 1
        #expect(await Self.kind { _ = try await store.polls.vote([1], in: id, by: cleo.id) } == .invalid)
        let poll = try await store.statuses.status(id: id, for: cleo.id)?.poll
        #expect(poll?.isExpired == true && poll?.votesCount == 1)
    }

    @Test func votesRaceWithTheEndButNeverFollowIt() async throws {
        let (store, ada, bob, cleo) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.draft).id
        let start = try await store.changes.position().sequence
        let end = store.clock.now + 300_000
        store.clock.now = end - 1
        await withTaskGroup(of: Void.self) { group in
            for voter in [bob, cleo] {
                group.addTask { _ = try? await store.polls.vote([0], in: id, by: voter.id) }
            }
            group.addTask {
                store.clock.now = end
                _ = try? await store.polls.closeNext()
            }
        }
        let kinds = try await store.kinds(after: start).filter { $0 != .notified }
        let poll = try #require(try await store.statuses.status(id: id, for: nil)?.poll)
        #expect(kinds.last == .pollClosed && kinds.count == 1 + poll.votesCount, "\(kinds)")
    }

    /// Also after the server has been down: each is closed once, the first to end first.
    @Test func endedPollsAreClosedOnceAndTheirPeopleNotified() async throws {
        let (store, ada, bob, cleo) = try await Self.town()
        let long = try await store.post("long", by: ada, poll: PollDraft(options: ["a", "b"], seconds: 900)).id
        let short = try await store.post("short", by: bob, poll: Self.choosingSeveral).id
        let open = try await store.post("open", by: bob, poll: PollDraft(options: ["a", "b"], seconds: 90_000)).id
        _ = try await store.polls.vote([0], in: long, by: bob.id)
        _ = try await store.polls.vote([0, 1], in: short, by: cleo.id)
        _ = try await store.polls.vote([0], in: open, by: cleo.id)
        store.clock.now += 3_600_000
        let start = try await store.changes.position().sequence
        for isClosed in [true, true, false, false] { #expect(try await store.polls.closeNext() == isClosed) }
        let rows = try await store.changes.changes(after: start, limit: 99)
        #expect(rows.map(\.kind) == [.pollClosed, .notified, .notified, .pollClosed, .notified, .notified])
        #expect(rows.filter { $0.kind == .pollClosed }.map(\.subject) == [short, long])
        #expect(rows.map(\.account) == [bob.id, bob.id, cleo.id, ada.id, ada.id, bob.id])
        for (person, told) in [(ada, [long]), (bob, [long, short]), (cleo, [short])] {
            let found = try await store.notifications.notifications(
                of: person.id, page: Pagination(limit: 9), NotificationFilter(kinds: [.poll]))
            #expect(found.entries.map { $0.status?.id } == told, "\(person.username)")
            #expect(found.entries.allSatisfy { $0.status?.poll?.isExpired == true && $0.from == $0.status?.account })
            #expect(try await store.notifications.unread(of: person.id, limit: 9) == told.count)
        }
        #expect(try await store.statuses.status(id: open, for: nil)?.poll?.isExpired == false)
    }

    /// Also if several servers believe that they do the maintenance.
    @Test func pollIsClosedByOneOfManyAtTheSameTime() async throws {
        let (store, ada, bob, _) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.draft).id
        _ = try await store.polls.vote([0], in: id, by: bob.id)
        store.clock.now += 300_000
        let start = try await store.changes.position().sequence
        let closed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await store.polls.closeNext() } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(closed == 1)
        #expect(try await store.kinds(after: start) == [.pollClosed, .notified, .notified])
    }

    @Test func blocksAndMutesSuppressTheNotification() async throws {
        let (store, ada, bob, cleo) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.draft).id
        for voter in [bob, cleo] { _ = try await store.polls.vote([0], in: id, by: voter.id) }
        try await store.mutes.mute(ada.id, by: bob.id, Mute())
        try await store.blocks.block(cleo.id, by: ada.id)
        _ = try await store.statuses.set(.conversationMute, true, on: id, by: ada.id)
        store.clock.now += 300_000
        let start = try await store.changes.position().sequence
        #expect(try await store.polls.closeNext())
        #expect(try await store.kinds(after: start) == [.pollClosed])
    }

    private static func edit(_ id: Int64, by author: Account, _ poll: PollDraft?, in store: TestStore) async throws
        -> Status
    {
        var draft = StatusDraft(text: "which?")
        draft.poll = poll
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        return try await posting.edit(id, to: draft, by: author)
    }

    @Test func otherOptionsResetVotesAndAnotherEndDoesNot() async throws {
        let (store, ada, bob, _) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.draft).id
        _ = try await store.polls.vote([1], in: id, by: bob.id)
        store.clock.now += 1000
        let later = try await Self.edit(id, by: ada, PollDraft(options: ["a", "b", "c"], seconds: 600), in: store)
        #expect(later.poll?.expiresAt == store.clock.now + 600_000 && later.editedAt == store.clock.now)
        #expect(later.poll?.options.map(\.votesCount) == [0, 1, 0] && later.poll?.votersCount == 1)
        let hidden = PollDraft(options: ["a", "b", "c"], seconds: 600, hidesTotals: true)
        #expect(try await Self.edit(id, by: ada, hidden, in: store).poll?.hidesTotals == true)
        store.clock.now += 1000
        let other = try await Self.edit(id, by: ada, PollDraft(options: ["b", "a"], seconds: 300), in: store)
        #expect(other.poll?.titles == ["b", "a"] && other.poll?.votesCount == 0 && other.poll?.votersCount == 0)
        #expect(try await store.statuses.status(id: id, for: bob.id)?.poll?.ownVotes == [])
        _ = try await store.polls.vote([1], in: id, by: bob.id)
        #expect(try await Self.edit(id, by: ada, nil, in: store).poll == nil)
        #expect(try await store.statuses.status(id: id, for: nil)?.poll == nil)
        let added = try await Self.edit(id, by: ada, PollDraft(options: ["x", "y"], seconds: 300), in: store)
        #expect(added.poll?.titles == ["x", "y"])
        let history = try await store.edits.history(of: id, for: nil)
        #expect(
            history?.edits.map(\.pollOptions) == [
                ["a", "b", "c"], ["a", "b", "c"], ["a", "b", "c"], ["b", "a"], [], ["x", "y"],
            ])
    }

    /// A closed poll is open again after an edit, and its people are told of the second end.
    @Test func onlyANewEndOpensAClosedPoll() async throws {
        let (store, ada, bob, _) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.choosingSeveral).id
        _ = try await store.polls.vote([1], in: id, by: bob.id)
        for round in 1...2 {
            store.clock.now += 300_000
            #expect(try await store.polls.closeNext())
            let found = try await store.notifications.notifications(
                of: bob.id, page: Pagination(limit: 9), NotificationFilter())
            #expect(found.entries.map(\.kind) == [.poll] && found.entries.first?.createdAt == store.clock.now)
            guard round == 1 else { break }
            var kept = Self.choosingSeveral
            (kept.keptEnd, kept.hidesTotals) = (store.clock.now, true)
            let closed = try await Self.edit(id, by: ada, kept, in: store)
            #expect(closed.poll?.isExpired == true && closed.poll?.hidesTotals == true)
            #expect(closed.poll?.expiresAt == store.clock.now && closed.poll?.votesCount == 1)
            let reopened = try await Self.edit(id, by: ada, Self.choosingSeveral, in: store)
            #expect(reopened.poll?.isExpired == false && reopened.poll?.votesCount == 1)
            _ = try await store.polls.vote([0], in: id, by: bob.id)
        }
    }

    @Test func deletedStatusTakesItsPollAlong() async throws {
        let (store, ada, bob, _) = try await Self.town()
        let id = try await store.post("which?", by: ada, poll: Self.draft).id
        _ = try await store.polls.vote([1], in: id, by: bob.id)
        let deleted = try await store.statuses.delete(id: id, by: ada.id)
        #expect(deleted?.poll?.votesCount == 1)
        let left = try await store.database.read { db in
            try ["poll", "poll_option", "poll_vote"].map {
                try db.fetchOne("SELECT count(*) FROM \(sql: $0)", as: Int.self)
            }
        }
        #expect(left == [0, 0, 0])
    }

    @Test func removedAccountTakesItsVotesAlong() async throws {
        let (store, ada, bob, cleo) = try await Self.town()
        var ids: [Int64] = []
        for number in 0..<60 {
            ids.append(try await store.post("poll \(number)", by: ada, poll: Self.choosingSeveral).id)
        }
        for id in ids { _ = try await store.polls.vote([0, 2], in: id, by: bob.id) }
        _ = try await store.polls.vote([0], in: ids[0], by: cleo.id)
        try await store.moderation.perform(.remove, on: bob.id)
        let start = try await store.changes.position().sequence
        _ = try await store.deletion.complete(bob.id)
        let voted = try await store.changes.changes(after: start, limit: 999).filter { $0.kind == .pollVoted }
        #expect(Set(voted.compactMap(\.subject)) == Set(ids) && voted.count == ids.count)
        for id in ids {
            let poll = try #require(try await store.statuses.status(id: id, for: nil)?.poll)
            let expected = id == ids[0] ? 1 : 0
            #expect(poll.options.map(\.votesCount) == [expected, 0, 0] && poll.votersCount == expected)
        }
    }

    @Test func repeatedRequestCreatesOnePoll() async throws {
        let (store, ada, _, _) = try await Self.town()
        var draft = StatusDraft(text: "which?")
        (draft.poll, draft.idempotencyKey) = (Self.draft, "key")
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        let first = try await posting.post(draft, by: ada)
        store.clock.now += 1000
        let second = try await posting.post(draft, by: ada)
        #expect(first == second && first.poll?.titles == ["a", "b", "c"])
    }
}
