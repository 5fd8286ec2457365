/// A status that has not been posted yet.
public struct Draft: Codable, Sendable, Equatable {
    public var text: String
    /// A content warning.
    public var spoilerText: String?
    /// `public`, `unlisted`, `private` or `direct`; `nil` for the server's default.
    public var visibility: String?
    public var inReplyToID: String?
    public var language: String?
    /// Whether the media is hidden until the reader asks for it; `nil` for the server's default.
    public var isSensitive: Bool?
    /// The ids of uploaded media to attach, in this order; see ``FeedClient/uploadMedia(_:progress:)``.
    public var mediaIDs: [String] = []
    /// A poll; servers refuse it together with media.
    public var poll: PollDraft?

    public init(text: String) { self.text = text }
}
