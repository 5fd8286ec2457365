public import FeedAPI

/// Changes to a profile. Properties that are `nil` leave it unchanged.
public struct ProfileDraft: Sendable, Equatable {
    /// A change of the avatar or the header.
    public enum Picture: Sendable, Equatable {
        /// An image on the disk.
        case file(String)
        /// Back to the server's own picture.
        case removed
    }

    public var displayName: String?
    /// Plain text about the account.
    public var note: String?
    /// Whether followers must be approved.
    public var isLocked: Bool?
    public var isBot: Bool?
    /// Whether the account may be suggested to others.
    public var isDiscoverable: Bool?
    /// Whether public statuses may appear in searches.
    public var isIndexable: Bool?
    /// Whether others cannot see followers and followed accounts.
    public var hidesCollections: Bool?
    /// The visibility of new statuses by default: `public`, `unlisted` or `private`.
    public var visibility: String?
    /// Whether the media of new statuses is sensitive by default.
    public var isSensitive: Bool?
    /// The language of new statuses by default, as a tag such as `de`; empty for none.
    public var language: String?
    /// All rows of the profile's table; most servers accept four.
    public var fields: [Entity.Profile.Field]?
    public var avatar: Picture?
    public var header: Picture?

    public init() {}

    /// The fields of a form.
    var form: [(String, String?)] {
        let flags = [
            ("locked", isLocked), ("bot", isBot), ("discoverable", isDiscoverable), ("indexable", isIndexable),
            ("hide_collections", hidesCollections), ("source[sensitive]", isSensitive),
        ]
        let texts = [
            ("display_name", displayName), ("note", note), ("source[privacy]", visibility),
            ("source[language]", language),
        ]
        return texts + flags.map { name, value in (name, value.map(String.init)) } + rows
    }

    /// An empty list is sent as one row without a name, which servers leave out.
    private var rows: [(String, String?)] {
        guard let fields else { return [] }
        let sent = fields.isEmpty ? [Entity.Profile.Field(name: "", value: "")] : fields
        return sent.enumerated().flatMap { index, row -> [(String, String?)] in
            [("fields_attributes[\(index)][name]", row.name), ("fields_attributes[\(index)][value]", row.value)]
        }
    }
}
