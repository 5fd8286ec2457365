/// The result of sending a post from the outbox.
public enum OutboxResult: Sendable {
    /// The server has the status, from this attempt or an earlier one. The entry has been removed.
    case delivered(OutboxEntry, SchedulingResult)
    /// The server has refused the post, which is a draft with the same id now; the error is `nil` if it did so earlier.
    case refused(OutboxEntry, (any Error)?)
    /// The entry is still in the outbox, in the state that it holds; the error is `nil` if there was nothing to do.
    case kept(OutboxEntry, (any Error)?)

    public var entry: OutboxEntry {
        switch self {
        case .delivered(let entry, _), .refused(let entry, _), .kept(let entry, _): entry
        }
    }
}
