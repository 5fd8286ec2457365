/// A post that has not been sent, or perhaps without a response, and is kept on the disk.
public struct KeptDraft: Codable, Sendable, Equatable {
    /// The text as it was sent, with all mentions.
    public var text: String
    public var spoilerText: String?
    /// `nil` for the server's default.
    public var visibility: String?
    /// Identifies everything that was sent, so that only a repetition of the same request uses the same key.
    public var request: String
    /// The key of the request. Sent again with it, the post appears only once.
    public var idempotencyKey: String

    public init(
        text: String, spoilerText: String? = nil, visibility: String? = nil, request: String, idempotencyKey: String
    ) {
        (self.text, self.spoilerText, self.visibility) = (text, spoilerText, visibility)
        (self.request, self.idempotencyKey) = (request, idempotencyKey)
    }
}
