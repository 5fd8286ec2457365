/// A status. Times are milliseconds since 1970, UTC.
package struct Status: Sendable, Equatable {
    /// An account mentioned in the text.
    package struct Mention: Sendable, Equatable {
        package var id: Int64
        package var username: String

        package init(id: Int64, username: String) {
            self.id = id
            self.username = username
        }
    }

    /// A boost that places a status in a timeline.
    package struct Boost: Sendable, Equatable {
        package var id: Int64
        /// The account that boosted the status.
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
    /// The name of the application the status was posted with, as plain text.
    package var source: String
    /// The application's web site, as it was registered.
    package var sourceWebsite: String?
    /// The text exactly as it was sent.
    package var text: String
    /// The text rendered as safe HTML; `"~/` marks a URL on this server.
    package var content: String
    package var spoilerText: String
    package var sensitive: Bool
    package var inReplyToID: Int64?
    package var inReplyToAccountID: Int64?
    package var repliesCount: Int
    package var reblogsCount: Int
    package var favouritesCount: Int
    package var mentions: [Mention]
    /// The hashtags as written, without `#`.
    package var tags: [String]
    /// The attached files, in their order.
    package var media: [MediaAttachment] = []
    package var poll: Poll?
    /// The boost, if the status appears in a list because it was boosted.
    package var boost: Boost?
    /// The viewer's marks on the status.
    package var marks: Set<StatusMark> = []
    package var isBoostedByViewer = false
    /// The id used to page the list that contains the status: the id of the status, boost, favourite or bookmark.
    package var pageID: Int64

    package init(
        id: Int64, account: Account, createdAt: Int64, editedAt: Int64? = nil, visibility: Visibility = .public,
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

extension Status {
    /// What is shown instead of the text where it cannot be folded; `nil` without a content warning.
    package var warningLine: String? { spoilerText.isEmpty ? nil : "Content warning: " + spoilerText }
}
