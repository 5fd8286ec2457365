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
    /// The line shown instead of the text where it cannot be folded; `nil` without a content warning.
    package var warningLine: String? { spoilerText.isEmpty ? nil : "Content warning: " + spoilerText }
}

extension Status {
    /// The status without its content and counts, for a viewer who undoes a boost or a mark but may no longer see the
    /// status. It keeps the id, the author and the viewer's own marks, and is still a complete entity for clients.
    ///
    /// Mastodon returns the whole status here. Undoing an action that was never performed still results in 404.
    package var redacted: Status {
        var rest = Status(
            id: id, account: account.suspendedAt == nil ? account : account.redacted, createdAt: createdAt,
            visibility: visibility, text: "", content: "")
        rest.marks = marks
        rest.isBoostedByViewer = isBoostedByViewer
        return rest
    }
}

extension Account {
    /// The account without its profile.
    fileprivate var redacted: Account { Account(id: id, username: username, createdAt: createdAt) }
}

/// A mark that an account can set on a status. ``conversationMute`` applies to the whole conversation.
package enum StatusMark: String, Sendable, CaseIterable {
    case favourite, bookmark, pin
    case conversationMute = "conversation mute"
}

/// A status that several viewers get at the same time.
package struct SharedStatus: Sendable {
    /// The properties of a status that depend on its viewer.
    package struct Marks: Sendable, Equatable {
        package var marks: Set<StatusMark> = []
        package var isBoosted = false
        /// The numbers of the options of its poll that the viewer has chosen, ascending.
        package var votes: [Int] = []

        package init() {}

        /// The marks on a status that was read for a viewer.
        package init(on status: Status) {
            marks = status.marks
            isBoosted = status.isBoostedByViewer
            votes = status.poll?.ownVotes ?? []
        }
    }

    /// The status without any marks.
    package var status: Status
    /// The marks by account. Accounts without an entry have none.
    package var marks: [Int64: Marks]

    package init(status: Status, marks: [Int64: Marks]) {
        self.status = status
        self.marks = marks
    }

    /// The status as an account gets it.
    package func status(for account: Int64) -> Status {
        guard let marks = marks[account] else { return status }
        var status = status
        status.marks = marks.marks
        status.isBoostedByViewer = marks.isBoosted
        status.poll?.ownVotes = marks.votes
        return status
    }
}

/// A public reaction to a status.
package enum ReactionKind: Sendable { case favourited, boosted }

/// An account that favourited or boosted a status.
package struct StatusReaction: Sendable, Equatable {
    /// The id used for paging: the id of the account for favourites, of the boost for boosts.
    package let pageID: Int64
    package let account: Account

    package init(pageID: Int64, account: Account) {
        self.pageID = pageID
        self.account = account
    }
}

/// The visibility of a status. The raw values are stored.
package enum Visibility: Int, Sendable, CaseIterable {
    case `public` = 0
    case unlisted = 1
    case followers = 2
    case direct = 3

    /// The name of the visibility in the Mastodon API.
    package var apiName: String {
        switch self {
        case .public: "public"
        case .unlisted: "unlisted"
        case .followers: "private"
        case .direct: "direct"
        }
    }

    /// Whether everyone may see the status. Only such replies are included in `replies_count`.
    package var isPublicOrUnlisted: Bool { rawValue <= Self.unlisted.rawValue }

    /// Whether the status affects its author's status count and the time of the last status. Direct statuses do not,
    /// because that would reveal their existence.
    package var affectsStatusCount: Bool { self != .direct }

    package init?(apiName: String) {
        guard let match = Self.allCases.first(where: { $0.apiName == apiName }) else { return nil }
        self = match
    }
}
