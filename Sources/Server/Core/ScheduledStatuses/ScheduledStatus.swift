/// A status that will be published at a later time. Times are milliseconds since 1970, UTC.
package struct ScheduledStatus: Sendable, Equatable {
    package var id: Int64
    package var accountID: Int64
    /// The time that the author has chosen.
    package var scheduledAt: Int64
    /// The time of the next attempt to publish it, which is later than ``scheduledAt`` if one has failed.
    package var dueAt: Int64
    /// The number of attempts that have failed.
    package var failures: Int
    package var parameters: ScheduledStatusContent
    /// A second request with the same key returns this one.
    package var idempotencyKey: String?
    /// The attached files, in their order.
    package var media: [MediaAttachment] = []

    package init(id: Int64, accountID: Int64, scheduledAt: Int64, parameters: ScheduledStatusContent) {
        self.id = id
        self.accountID = accountID
        self.scheduledAt = scheduledAt
        self.parameters = parameters
        dueAt = scheduledAt
        failures = 0
    }

    /// The status to be posted.
    package var draft: StatusDraft {
        var draft = parameters.draft
        draft.idempotencyKey = idempotencyKey
        return draft
    }
}

/// The result of a request to schedule a status.
package enum SchedulingResult: Sendable, Equatable {
    case scheduled(ScheduledStatus)
    /// An earlier request with the same idempotency key scheduled the status, which has been published since.
    case published(Status)
}
