/// An event of a stream and of the change feed. The raw values are the names that the Mastodon streaming API sends.
package enum StreamEvent: String, Sendable, CaseIterable {
    /// A new status or boost; the payload is a Status.
    case update
    /// A status was deleted or a boost was removed; the payload is its id.
    case delete
    /// A status was edited; the payload is a Status.
    case statusUpdate = "status.update"
    /// The payload is a Notification.
    case notification
    /// A direct status changed a conversation; the payload is a Conversation.
    case conversation
    /// The filters of the account changed; there is no payload.
    case filtersChanged = "filters_changed"
    /// Events are missing, because the position of the reader is too old, ahead of the log, or from another epoch. An
    /// extension of the Mastodon API, sent once; the reader loads its timelines again.
    case resync
}
