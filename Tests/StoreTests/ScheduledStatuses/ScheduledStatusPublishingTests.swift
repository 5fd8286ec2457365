import FeedCore
import FeedTestSupport
import Synchronization
import TestKit
import Testing

@testable import FeedStore

/// Publishing scheduled statuses when they are due.
@Suite(.hangLimit)
struct ScheduledStatusPublishingTests {
    @Test func statusIsPublishedWhenItIsDue() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let question = try await store.post("a question", by: bob)
        let picture = try await store.image(by: ada, "a cat")
        let scheduled = try await store.scheduled(
            "@bob hello #tag", by: ada, replyTo: question.id, media: [picture])
        let start = try await store.changes.position().sequence
        #expect(try await store.scheduling.pause() == ScheduledStatusRule.longestPause)
        store.clock.now = scheduled.scheduledAt - 1
        try await store.scheduling.publishDue()
        #expect(try await store.all(of: ada) == [])
        #expect(try await store.scheduling.pause() == 1)

        store.clock.now += 2500
        try await store.scheduling.publishDue()
        let status = try await store.only(of: ada)
        // The time of publication, not the time at which it was scheduled or should have been published.
        #expect(status.createdAt == store.clock.now && status.id > scheduled.id)
        #expect(status.id >> 16 == store.clock.now)
        #expect(status.text == "@bob hello #tag" && status.tags == ["tag"] && status.mentions.map(\.id) == [bob.id])
        #expect(status.inReplyToID == question.id && status.inReplyToAccountID == bob.id)
        #expect(status.media.map(\.id) == [picture.id] && status.media.map(\.description) == ["a cat"])
        #expect(try await store.media.publicMedia(key: picture.key)?.media.statusID == status.id)
        #expect(try await store.scheduledStatuses.status(id: scheduled.id, of: ada.id) == nil)
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 1)
        // As when it is posted.
        #expect(try await store.kinds(after: start) == [.statusCreated, .mentioned, .notified])
        let told = try await store.notifications.notifications(
            of: bob.id, page: Pagination(limit: 9), NotificationFilter())
        #expect(told.entries.map(\.status?.id) == [status.id])

        try await store.scheduling.publishDue()
        #expect(try await store.all(of: ada).count == 1)
        #expect(try await store.scheduling.pause() == ScheduledStatusRule.longestPause)
    }

    /// A poll lasts as long as requested, from the publication.
    @Test func pollStartsWhenItIsPublished() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var draft = StatusDraft(text: "which?")
        draft.poll = PollDraft(options: ["a", "b"], seconds: 3600, isMultiple: true)
        _ = try await store.scheduling.schedule(draft, at: store.clock.now + 600_000, by: ada)
        store.clock.now += 700_000
        try await store.scheduling.publishDue()
        let poll = try #require(try await store.only(of: ada).poll)
        #expect(poll.expiresAt == store.clock.now + 3_600_000 && poll.titles == ["a", "b"] && poll.isMultiple)
    }

    /// After downtime, all that are overdue are published, in the order of their times.
    @Test func overdueStatusesArePublishedInOrder() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        for number in 0..<120 { try await store.schedule("\(number)", by: ada, in: 200 - Int64(number)) }
        store.clock.now += 86_400_000
        #expect(try await store.scheduling.pause() == ScheduledStatusRule.shortestPause)
        try await store.scheduling.publishDue()
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 120)
        #expect(try await store.all(of: ada).map(\.text) == (0..<40).map { "\($0)" })
    }

    /// Whatever has changed since it was scheduled counts.
    @Test func textIsRenderedWhenItIsPublished() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.schedule("hello @later", by: ada)
        let later = try await store.account("later")
        store.clock.now += 600_000
        try await store.scheduling.publishDue()
        #expect(try await store.only(of: ada).mentions.map(\.id) == [later.id])
    }

    @Test func statusThatCannotBePublishedIsKeptAndTriedAgain() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let question = try await store.post("a question", by: bob)
        let answer = try await store.scheduled("an answer", by: ada, replyTo: question.id)
        try await store.schedule("another", by: ada)
        _ = try await store.statuses.delete(id: question.id, by: bob.id)
        store.clock.now = answer.scheduledAt
        let reported = Mutex<[Int64]>([])
        func publish() async throws {
            try await store.scheduling.publishDue { scheduled, _ in reported.withLock { $0.append(scheduled.id) } }
        }
        // Others do not have to wait.
        try await publish()
        #expect(try await store.only(of: ada).text == "another")
        #expect(reported.withLock { $0 } == [answer.id])
        for failures in 1...3 {
            let kept = try #require(try await store.scheduledStatuses.status(id: answer.id, of: ada.id))
            #expect(kept.failures == failures && kept.scheduledAt == answer.scheduledAt)
            #expect(kept.dueAt == store.clock.now + ScheduledStatusRule.retryDelay(after: failures))
            store.clock.now = kept.dueAt - 1
            try await publish()
            #expect(reported.withLock { $0.count } == failures)
            store.clock.now = kept.dueAt
            try await publish()
            #expect(reported.withLock { $0.count } == failures + 1)
        }
        // A new time starts anew.
        let moved = try await store.scheduling.move(answer.id, to: store.clock.now + 300_000, of: ada.id)
        #expect(moved.failures == 0 && moved.dueAt == moved.scheduledAt)
    }

    /// A transaction that fails leaves everything as it was: the scheduled status, its files and the counts.
    @Test func failedTransactionKeepsTheScheduledStatus() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let picture = try await store.image(by: ada)
        let scheduled = try await store.scheduled("picture", by: ada, media: [picture])
        try await store.database.commits.write { db in
            try db.execute("UPDATE media SET expires_at = 1 WHERE id = \(picture.id)")
        }
        store.clock.now = scheduled.scheduledAt
        try await store.scheduling.publishDue()
        #expect(try await store.all(of: ada) == [])
        #expect(try await store.scheduledStatuses.status(id: scheduled.id, of: ada.id)?.failures == 1)
        try await store.database.commits.write { db in
            try db.execute("UPDATE media SET expires_at = \(Int64.max) WHERE id = \(picture.id)")
        }
        store.clock.now += ScheduledStatusRule.retryDelay(after: 1)
        try await store.scheduling.publishDue()
        #expect(try await store.only(of: ada).media.map(\.id) == [picture.id])
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 1)
    }

    @Test func suspendedAccountDoesNotPublish() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let scheduled = try await store.scheduled("later", by: ada)
        try await store.schedule("bob's", by: bob)
        // It may be suspended between the query and the transaction.
        store.clock.now = scheduled.scheduledAt
        let due = try #require(try await store.scheduledStatuses.due(limit: 9).first { $0.accountID == ada.id })
        try await store.moderation.perform(.suspend, on: ada.id)
        let prepared = PreparedStatus(
            accountID: ada.id, draft: due.draft, rendered: StatusHTML.render([], known: [:]),
            inReplyToAccountID: nil)
        let error = await #expect(throws: FeedError.self) {
            try await store.scheduledStatuses.publish(due, as: prepared)
        }
        #expect(error?.kind == .forbidden)
        try await store.scheduling.publishDue()
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 0)
        #expect(try await store.accounts.account(id: bob.id)?.statusesCount == 1)
        #expect(try await store.scheduling.pause() == ScheduledStatusRule.longestPause)
        try await store.moderation.perform(.unsuspend, on: ada.id)
        try await store.scheduling.publishDue()
        #expect(try await store.only(of: ada).text == "later")
    }

    /// One that was moved or canceled after it was found to be due is not published.
    @Test func changedStatusIsNotPublished() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let moved = try await store.scheduled("moved", by: ada)
        let canceled = try await store.scheduled("canceled", by: ada)
        store.clock.now = moved.scheduledAt
        let due = try await store.scheduledStatuses.due(limit: 9)
        #expect(due.map(\.id) == [moved.id, canceled.id])
        _ = try await store.scheduling.move(moved.id, to: store.clock.now + 300_000, of: ada.id)
        try await store.scheduledStatuses.cancel(canceled.id, of: ada.id)
        for scheduled in due {
            let prepared = PreparedStatus(
                accountID: ada.id, draft: scheduled.draft, rendered: StatusHTML.render([], known: [:]),
                inReplyToAccountID: nil)
            #expect(try await store.scheduledStatuses.publish(scheduled, as: prepared) == nil)
            try await store.scheduledStatuses.postpone(scheduled, until: .max)
        }
        #expect(try await store.all(of: ada) == [])
        #expect(try await store.scheduledStatuses.status(id: moved.id, of: ada.id)?.failures == 0)
    }

    /// Several servers that all consider themselves responsible.
    @Test func severalServersPublishEachStatusOnce() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var others: [TestStore] = []
        for _ in 0..<3 { others.append(try TestStore(folder: store.folder)) }
        let servers = [store] + others
        for number in 0..<40 { try await store.schedule("\(number)", by: ada, media: [try await store.image(by: ada)]) }
        for server in servers { server.clock.now = store.clock.now + 600_000 }
        // A server that waits too long for the others postpones its status.
        try await Wait.until("everything is published") {
            await withTaskGroup { group in
                for server in servers { group.addTask { try? await server.scheduling.publishDue() } }
            }
            guard let due = try await store.scheduledStatuses.nextDue() else { return true }
            for server in servers { server.clock.now = max(server.clock.now, due) }
            return false
        }
        let found = try await store.all(of: ada)
        #expect(found.count == 40 && Set(found.map(\.text)) == Set((0..<40).map { "\($0)" }))
        #expect(found.allSatisfy { $0.media.count == 1 })
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 40)
        for server in others { try server.database.close() }
    }

    /// A row that cannot be read does not hold up the others.
    @Test func damagedRowDoesNotDelayTheOthers() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let damaged = try await store.scheduled("damaged", by: ada)
        try await store.schedule("good", by: ada)
        try await store.database.commits.write { db in
            try db.execute("UPDATE scheduled_status SET parameters = '{' WHERE id = \(damaged.id)")
        }
        store.clock.now += 600_000
        try await store.scheduling.publishDue()
        #expect(try await store.only(of: ada).text == "good")
        #expect(try await store.scheduledStatuses.status(id: damaged.id, of: ada.id) == nil)
        try await store.scheduledStatuses.cancel(damaged.id, of: ada.id)
    }
}
