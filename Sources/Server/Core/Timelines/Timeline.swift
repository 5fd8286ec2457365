/// A list of statuses, newest first.
package enum Timeline: Sendable, Equatable {
    /// All public statuses.
    case `public`
    /// All public statuses with attached files.
    case publicMedia
    /// An account's own statuses, those of the accounts it follows, and public ones with the hashtags it follows.
    case home(Int64)
    /// The statuses of the members of a list.
    case list(AccountList)
    /// The statuses of one account that the viewer may see.
    case account(Int64, AccountFilter = AccountFilter())
    /// Public statuses selected by hashtags.
    case tags(TagFilter)
    /// The statuses an account has favourited, bookmarked or pinned, most recent mark first.
    case marked(StatusMark, by: Int64)
    /// The newest status of each conversation of an account.
    case conversations(of: Int64)
    /// All statuses the viewer may see, without boosts, for the classic dialect.
    case classic
}

extension Timeline {
    /// Public statuses with the given hashtag.
    package static func tag(_ tag: String) -> Timeline { .tags(TagFilter(any: [tag])) }
}

/// A filter for the statuses of an account.
package struct AccountFilter: Sendable, Equatable {
    package var excludesReplies = false
    package var excludesBoosts = false
    package var onlyMedia = false
    package var onlyPinned = false
    /// The key of a hashtag.
    package var tag: String?

    package init() {}
}

/// A selection by the keys of hashtags.
package struct TagFilter: Sendable, Equatable {
    /// Statuses must have at least one of these; never empty.
    package var any: [String]
    /// Statuses must have all of these.
    package var all: [String]
    /// Statuses must have none of these.
    package var none: [String]
    /// Only statuses with attached files.
    package var onlyMedia = false

    package init(any: [String], all: [String] = [], none: [String] = []) {
        self.any = any
        self.all = all
        self.none = none
    }
}
