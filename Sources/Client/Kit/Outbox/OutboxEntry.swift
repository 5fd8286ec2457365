/// A post in the outbox, or another action.
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

    /// The time during which a repeated command means the same post, in milliseconds.
    private static let repetitionTime = OutboxDelivery.keyLifetime

    /// Whether another post is a repetition of this one, because the user has repeated a command that failed. A job may
    /// post the same words every day, and may write another picture to the same path.
    /// - Parameters:
    ///   - versions: The current versions of the media files of the other post.
    ///   - now: Milliseconds since 1970.
    func isRepeated(by other: OutboxPost, _ versions: [FileVersion?], at now: Int64) -> Bool {
        let elapsed = now.subtractingSaturating(createdAt)
        guard elapsed.magnitude < Self.repetitionTime.magnitude, fileVersions ?? versions == versions else {
            return false
        }
        return post.isRepeated(by: other, after: elapsed)
    }
}

/// Everything that is needed to post a status, now or after a restart.
public struct OutboxPost: Codable, Sendable, Equatable {
    public var draft: Draft
    /// The media files to upload and attach, with absolute paths.
    public var files: [MediaFile]
    /// The time at which the server is to publish the status, in milliseconds since 1970; `nil` to publish it at once.
    public var scheduledAt: Int64?
    /// The action to perform instead of posting a new status.
    public private(set) var action: OutboxAction?

    public init(draft: Draft, files: [MediaFile] = [], scheduledAt: Int64? = nil) {
        self.draft = draft
        self.files = files
        self.scheduledAt = scheduledAt
    }

    /// - Parameter draft: The new content of an edited status.
    public init(_ action: OutboxAction, draft: Draft = Draft(text: "")) {
        self.init(draft: draft)
        self.action = action
    }

    /// The text that becomes a draft if the server refuses the post; `nil` for an action without a text.
    public var content: OutboxPost? {
        guard let action else { return self }
        return action.editedID.map { _ in OutboxPost(draft: draft) }
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

    /// The accepted difference between two relative times, in milliseconds: the user types the second one later.
    private static let tolerance: Int64 = 60_000
}

/// The account that a post belongs to.
public struct OutboxAccount: Codable, Sendable, Hashable {
    /// The address of the server.
    public let server: String
    public let username: String

    public init(server: String, username: String) {
        self.server = server
        self.username = username
    }

    public init(_ login: CredentialStore.Login) { self.init(server: login.server, username: login.username) }
}
