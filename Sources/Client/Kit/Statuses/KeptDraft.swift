/// A post that is kept on disk because it was not sent, or may have been sent without a response.
public struct KeptDraft: Codable, Sendable, Equatable {
    /// The text as it was sent, with all mentions.
    public var text: String
    public var spoilerText: String?
    /// `nil` for the server's default.
    public var visibility: String?
    /// The media files to attach; `nil` for none.
    public var media: [MediaFile]?

    public init(
        text: String, spoilerText: String? = nil, visibility: String? = nil, media: [MediaFile]? = nil
    ) {
        (self.text, self.spoilerText, self.visibility, self.media) = (text, spoilerText, visibility, media)
    }
}
