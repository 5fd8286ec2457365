package import FeedCore
import Foundation

/// Schedules statuses, and publishes those that are due.
package struct ScheduledStatusPublishing: Sendable {
    /// The number of statuses read at once.
    private static let batch = 50

    private let accounts: AccountStore
    private let schedules: ScheduledStatusStore
    private let posting: StatusPosting
    private let clock: WallClock

    package init(
        accounts: AccountStore, schedules: ScheduledStatusStore, posting: StatusPosting, clock: WallClock
    ) {
        self.accounts = accounts
        self.schedules = schedules
        self.posting = posting
        self.clock = clock
    }

    /// Schedules a status, which must pass the same checks as one that is posted now.
    /// - Parameter time: Milliseconds since 1970.
    /// - Throws: ``FeedError`` `.invalid` if the time is too soon or the account has too many scheduled statuses, and as
    ///   ``StatusPosting/post(_:by:)``.
    package func schedule(_ draft: StatusDraft, at time: Int64, by author: Account) async throws -> SchedulingResult {
        // Before the time is checked, because by now it may be too soon.
        if let key = draft.idempotencyKey, let earlier = try await schedules.existing(key: key, of: author.id) {
            return earlier
        }
        try ScheduledStatusRule.check(time, at: clock.now())
        _ = try await posting.prepared(draft, by: author)
        return try await schedules.insert(draft, at: time, by: author.id)
    }

    /// Changes the time of publication.
    /// - Throws: ``FeedError`` `.invalid` if the time is too soon, `.notFound` if the account has no such status.
    package func move(_ id: Int64, to time: Int64, of account: Int64) async throws -> ScheduledStatus {
        guard try await schedules.status(id: id, of: account) != nil else { throw FeedError.notFound }
        try ScheduledStatusRule.check(time, at: clock.now())
        return try await schedules.move(id, to: time, of: account)
    }

    /// Publishes all statuses that are due. One that cannot be published is kept and tried again later.
    /// - Parameter report: Called for each failure.
    /// - Throws: Any error of the database.
    package func publishDue(
        report: @Sendable (ScheduledStatus, any Error) -> Void = { _, _ in }
    ) async throws {
        while true {
            try Task.checkCancellation()
            let due = try await schedules.due(limit: Self.batch)
            for scheduled in due { try await attempt(scheduled, report: report) }
            if due.count < Self.batch { return }
        }
    }

    /// The time in milliseconds until ``publishDue(report:)`` should be called again.
    package func pause() async throws -> Int64 {
        ScheduledStatusRule.pause(until: try await schedules.nextDue(), at: clock.now())
    }

    private func attempt(
        _ scheduled: ScheduledStatus, report: @Sendable (ScheduledStatus, any Error) -> Void
    ) async throws {
        do {
            _ = try await publish(scheduled)
        } catch  where !Task.isCancelled {
            report(scheduled, error)
            let (failures, overflows) = scheduled.failures.addingReportingOverflow(1)
            let delay = ScheduledStatusRule.retryDelay(after: overflows ? .max : failures)
            try await schedules.postpone(scheduled, until: clock.now() + delay)
        }
    }

    /// Publishes a status in the same way as one that is posted now. Whatever has changed since it was scheduled counts:
    /// names of accounts, limits, and the status it replies to.
    private func publish(_ scheduled: ScheduledStatus) async throws -> Status? {
        guard let author = try await accounts.account(id: scheduled.accountID) else { throw FeedError.notFound }
        return try await schedules.publish(scheduled, as: try await posting.prepared(scheduled.draft, by: author))
    }
}

extension ScheduledStatusStore {
    /// Statuses that are due, the earliest first, without those of suspended accounts.
    package func due(limit: Int) async throws -> [ScheduledStatus] {
        let now = database.clock.now()
        let rest: SQL = """
            CROSS JOIN account a ON a.id = s.account_id
            WHERE s.due_at <= \(now) AND a.suspended_at IS NULL ORDER BY s.due_at, s.id LIMIT \(limit)
            """
        return try await database.read { try ScheduledStatusRow.read(rest, in: $0) }
    }

    /// The time at which the next status is due, in milliseconds since 1970.
    package func nextDue() async throws -> Int64? {
        try await database.read { db in
            let query: SQL = """
                SELECT s.due_at FROM scheduled_status s CROSS JOIN account a ON a.id = s.account_id
                WHERE a.suspended_at IS NULL ORDER BY s.due_at LIMIT 1
                """
            return try db.fetchOne(query, as: Int64.self)
        }
    }

    /// Deletes the scheduled status and inserts the status in one transaction.
    /// - Returns: `nil` if it has been published, moved or canceled since it was read.
    /// - Throws: ``FeedError`` `.forbidden` if the account has been suspended.
    package func publish(_ scheduled: ScheduledStatus, as status: PreparedStatus) async throws -> Status? {
        let now = database.clock.now()
        return try await database.commits.write { db in
            // Releases the files, which the status then takes. Only one server finds the row.
            try db.execute("DELETE FROM scheduled_status WHERE id = \(scheduled.id) AND due_at = \(scheduled.dueAt)")
            guard try db.changesCount > 0 else { return nil }
            guard try db.requireActiveAccount(scheduled.accountID).suspendedAt == nil else { throw FeedError.suspended }
            return try StatusStore.post(status, at: now, in: db)
        }
    }

    /// Records a failure to publish, unless the scheduled status has changed since it was read.
    /// - Parameter time: The time of the next attempt, in milliseconds since 1970.
    package func postpone(_ scheduled: ScheduledStatus, until time: Int64) async throws {
        try await database.commits.write { db in
            try db.execute(
                """
                UPDATE scheduled_status SET due_at = \(time),
                failures = CASE WHEN failures < 1000 THEN failures + 1 ELSE failures END
                WHERE id = \(scheduled.id) AND due_at = \(scheduled.dueAt)
                """)
        }
    }
}
