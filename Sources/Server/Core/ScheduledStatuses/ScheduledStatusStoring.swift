/// Stores statuses that will be published at a later time.
package protocol ScheduledStatusStoring: Sendable {
    /// Stores a status, or returns what an earlier request with the same idempotency key created. The attached files no
    /// longer expire, and cannot be attached to anything else.
    /// - Parameter time: Milliseconds since 1970.
    /// - Throws: ``FeedError`` `.invalid` if the account has too many, or if a file cannot be attached.
    func insert(_ draft: StatusDraft, at time: Int64, by account: Int64) async throws -> SchedulingResult
    /// What an earlier request with an idempotency key created.
    func existing(key: String, of account: Int64) async throws -> SchedulingResult?
    func statuses(of account: Int64, page: Pagination) async throws -> [ScheduledStatus]
    func status(id: Int64, of account: Int64) async throws -> ScheduledStatus?
    /// Changes the time of publication.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such status.
    func move(_ id: Int64, to time: Int64, of account: Int64) async throws -> ScheduledStatus
    /// Deletes a scheduled status. Its files can be attached again for a day.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such status.
    func cancel(_ id: Int64, of account: Int64) async throws
    /// Statuses that are due, the earliest first, without those of suspended accounts.
    func due(limit: Int) async throws -> [ScheduledStatus]
    /// When the next status is due, in milliseconds since 1970.
    func nextDue() async throws -> Int64?
    /// Deletes the scheduled status and inserts the status in one transaction.
    /// - Returns: `nil` if it has been published, moved or canceled since it was read.
    /// - Throws: ``FeedError`` `.forbidden` if the account has been suspended.
    func publish(_ scheduled: ScheduledStatus, as status: PreparedStatus) async throws -> Status?
    /// Records a failure to publish, unless the scheduled status has changed since it was read.
    /// - Parameter time: The time of the next attempt, in milliseconds since 1970.
    func postpone(_ scheduled: ScheduledStatus, until time: Int64) async throws
}
