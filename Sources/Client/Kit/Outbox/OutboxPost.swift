/// Everything that is needed to post a status, now or after a restart.
public struct OutboxPost: Codable, Sendable, Equatable {
    public var draft: Draft
    /// The media files to upload and attach, with absolute paths.
    public var files: [MediaFile]
    /// When the server is to publish the status, in milliseconds since 1970; `nil` for at once.
    public var scheduledAt: Int64?

    public init(draft: Draft, files: [MediaFile] = [], scheduledAt: Int64? = nil) {
        self.draft = draft
        self.files = files
        self.scheduledAt = scheduledAt
    }

    /// Whether another post is a repetition of this one. Times such as `+2h` move with the clock.
    /// - Parameter elapsed: Milliseconds from this post to the other.
    func isRepeated(by other: OutboxPost, after elapsed: Int64) -> Bool {
        var other = other
        if let time = other.scheduledAt, let earlier = scheduledAt, time != earlier {
            let difference = time.subtractingSaturating(earlier.addingSaturating(elapsed))
            if (-Self.tolerance...Self.tolerance).contains(difference) { other.scheduledAt = earlier }
        }
        return self == other
    }

    /// How far two relative times may be apart, because the user types the second one later, in milliseconds.
    private static let tolerance: Int64 = 60_000
}
