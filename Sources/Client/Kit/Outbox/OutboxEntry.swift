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
    /// The versions of the media files when the entry was created; `nil` if they are not known.
    var fileVersions: [FileVersion?]?
    public internal(set) var state: OutboxState

    /// How long a repeated command means the same post, in milliseconds.
    private static let repetitionTime = OutboxDelivery.keyLifetime

    /// Whether another post is a repetition of this one, because the user has repeated a command that failed. A job may
    /// post the same words every day, and may write another picture to the same path.
    /// - Parameters:
    ///   - versions: The present versions of the media files of the other post.
    ///   - now: Milliseconds since 1970.
    func isRepeated(by other: OutboxPost, _ versions: [FileVersion?], at now: Int64) -> Bool {
        let elapsed = now.subtractingSaturating(createdAt)
        guard elapsed.magnitude < Self.repetitionTime.magnitude, fileVersions ?? versions == versions else {
            return false
        }
        return post.isRepeated(by: other, after: elapsed)
    }
}
