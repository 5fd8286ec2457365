/// A status that has not been posted yet.
public struct Draft: Sendable {
    public var text: String
    /// A content warning.
    public var spoilerText: String?
    /// `public`, `unlisted`, `private` or `direct`; `nil` for the server's default.
    public var visibility: String?
    public var inReplyToID: String?
    public var language: String?

    public init(text: String) { self.text = text }
}
