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

    /// Whether another post is a repetition of this one. Times such as `+2h` differ each time.
    func isRepeated(by other: OutboxPost) -> Bool {
        var other = other
        if other.scheduledAt != nil, scheduledAt != nil { other.scheduledAt = scheduledAt }
        return self == other
    }
}
