/// A post as it is stored and shown. Times are milliseconds since 1970, UTC.
package struct Status: Sendable, Equatable {
    /// Somebody the text names.
    package struct Mention: Sendable, Equatable {
        package var id: Int64
        package var username: String

        package init(id: Int64, username: String) {
            self.id = id
            self.username = username
        }
    }

    /// A boost, through which a status stands in a timeline.
    package struct Boost: Sendable, Equatable {
        package var id: Int64
        /// Who boosted it.
        package var account: Account
        package var createdAt: Int64
        package var visibility: Visibility

        package init(id: Int64, account: Account, createdAt: Int64, visibility: Visibility) {
            self.id = id
            self.account = account
            self.createdAt = createdAt
            self.visibility = visibility
        }
    }

    package var id: Int64
    package var account: Account
    package var createdAt: Int64
    package var editedAt: Int64?
    package var visibility: Visibility
    package var language: String?
    /// The program it was sent from, plain text.
    package var source: String
    /// As written, byte for byte.
    package var text: String
    /// Safe HTML; `"~/` marks an address on this server.
    package var content: String
    package var spoilerText: String
    package var sensitive: Bool
    package var inReplyToID: Int64?
    package var inReplyToAccountID: Int64?
    package var repliesCount: Int
    package var reblogsCount: Int
    package var favouritesCount: Int
    package var mentions: [Mention]
    /// Hashtags without `#`, as written.
    package var tags: [String]
    /// Set where the status is read as somebody's boost.
    package var boost: Boost?
    /// What the viewer did with it.
    package var marks: Set<StatusMark> = []
    package var isBoostedByViewer = false
    /// By what the list it was read from is paged: its own id, or that of the boost, favourite or bookmark.
    package var pageID: Int64

    package init(
        id: Int64, account: Account, createdAt: Int64, editedAt: Int64? = nil, visibility: Visibility = .everyone,
        language: String? = nil, source: String = "", text: String, content: String, spoilerText: String = "",
        sensitive: Bool = false, inReplyToID: Int64? = nil, inReplyToAccountID: Int64? = nil, repliesCount: Int = 0,
        reblogsCount: Int = 0, favouritesCount: Int = 0, mentions: [Mention] = [], tags: [String] = []
    ) {
        self.id = id
        self.account = account
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.visibility = visibility
        self.language = language
        self.source = source
        self.text = text
        self.content = content
        self.spoilerText = spoilerText
        self.sensitive = sensitive
        self.inReplyToID = inReplyToID
        self.inReplyToAccountID = inReplyToAccountID
        self.repliesCount = repliesCount
        self.reblogsCount = reblogsCount
        self.favouritesCount = favouritesCount
        self.mentions = mentions
        self.tags = tags
        pageID = id
    }
}
