/// A post in the outbox.
public struct OutboxEntry: Sendable, Equatable {
    /// Identifies the entry on this machine: six letters and digits.
    public let id: String
    public let account: OutboxAccount
    public let post: OutboxPost
    /// The key that all requests for this post carry.
    public let idempotencyKey: String
    /// Milliseconds since 1970.
    public let createdAt: Int64
    public internal(set) var state: OutboxState
}
