/// Who may see a status. The raw values are stored.
package enum Visibility: Int, Sendable, CaseIterable {
    case everyone = 0
    case unlisted = 1
    case followers = 2
    case direct = 3

    /// The word on the wire.
    package var word: String {
        switch self {
        case .everyone: "public"
        case .unlisted: "unlisted"
        case .followers: "private"
        case .direct: "direct"
        }
    }

    /// Whether everybody may see it. Only such replies are in `replies_count`.
    package var isOpen: Bool { rawValue <= Self.unlisted.rawValue }

    /// Whether such a status is in its author's count, and moves the time of the last one: nobody but those it names is
    /// to learn that a direct one was written.
    package var counts: Bool { self != .direct }

    package init?(word: String) {
        guard let match = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = match
    }
}

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

/// What an account can do with a status besides boosting it. The conversation's mute is the conversation's.
package enum StatusMark: String, Sendable, CaseIterable {
    case favourite, bookmark, pin
    case conversationMute = "conversation mute"
}

/// A status as it was from a time on.
package struct StatusEdit: Sendable, Equatable {
    /// Milliseconds since 1970.
    package var createdAt: Int64
    package var content: String
    package var spoilerText: String
    package var sensitive: Bool

    package init(createdAt: Int64, content: String, spoilerText: String, sensitive: Bool) {
        self.createdAt = createdAt
        self.content = content
        self.spoilerText = spoilerText
        self.sensitive = sensitive
    }
}

/// The conversation around a status.
package struct StatusContext: Sendable, Equatable {
    /// From the conversation's start down to what the status answers.
    package var ancestors: [Status]
    /// Replies, each followed by its own replies.
    package var descendants: [Status]

    package init(ancestors: [Status], descendants: [Status]) {
        self.ancestors = ancestors
        self.descendants = descendants
    }
}

/// What somebody asks to post.
package struct StatusDraft: Sendable {
    package var text: String
    package var spoilerText = ""
    package var visibility = Visibility.everyone
    package var language: String?
    package var source = ""
    package var sensitive = false
    package var inReplyToID: Int64?
    /// Posting again with the same key gives the status that is there already.
    package var idempotencyKey: String?

    package init(text: String) { self.text = text }
}

/// A status that passed the rules and is ready to be stored.
package struct PreparedStatus: Sendable {
    package var accountID: Int64
    package var draft: StatusDraft
    package var rendered: RenderedText
    package var inReplyToAccountID: Int64?

    package init(accountID: Int64, draft: StatusDraft, rendered: RenderedText, inReplyToAccountID: Int64?) {
        self.accountID = accountID
        self.draft = draft
        self.rendered = rendered
        self.inReplyToAccountID = inReplyToAccountID
    }
}
