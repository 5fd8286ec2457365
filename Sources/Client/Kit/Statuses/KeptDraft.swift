/// A post that is kept on disk because it was not sent, or may have been sent without a response.
public struct KeptDraft: Codable, Sendable, Equatable {
    /// The text as it was sent, with all mentions.
    public var text: String
    public var spoilerText: String?
    /// `nil` for the server's default.
    public var visibility: String?
    /// Identifies everything that was sent, so that only a repetition of the same request uses the same key.
    public var request: String
    /// The key of the request. If the post is sent again with the same key, it appears only once.
    public var idempotencyKey: String

    public init(
        text: String, spoilerText: String? = nil, visibility: String? = nil, request: String, idempotencyKey: String
    ) {
        (self.text, self.spoilerText, self.visibility) = (text, spoilerText, visibility)
        (self.request, self.idempotencyKey) = (request, idempotencyKey)
    }
}
