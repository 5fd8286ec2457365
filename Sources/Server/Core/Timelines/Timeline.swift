/// Which statuses a timeline holds; the newest first.
package enum Timeline: Sendable, Equatable {
    /// Public statuses of everybody.
    case everyone
    /// Statuses of those an account follows, and its own.
    case home(Int64)
    /// One account's statuses, as far as the viewer may see them.
    case account(Int64, AccountFilter = AccountFilter())
    /// Public statuses with any, all and none of some hashtags.
    case tags(TagFilter)
    /// What an account favourited, bookmarked or pinned, the last one first.
    case marked(StatusMark, by: Int64)
    /// Everything the viewer may see, boosts left out: the classic dialect's list.
    case classic
}

extension Timeline {
    /// Public statuses with one hashtag.
    package static func tag(_ tag: String) -> Timeline { .tags(TagFilter(any: [tag])) }
}

/// Which of an account's statuses are wanted.
package struct AccountFilter: Sendable, Equatable {
    package var excludesReplies = false
    package var excludesBoosts = false
    package var onlyMedia = false
    package var onlyPinned = false
    /// Lower case, without `#`.
    package var tag: String?

    package init() {}
}

/// Hashtags in lower case, without `#`.
package struct TagFilter: Sendable, Equatable {
    /// One of these; never empty.
    package var any: [String]
    package var all: [String]
    package var none: [String]

    package init(any: [String], all: [String] = [], none: [String] = []) {
        self.any = any
        self.all = all
        self.none = none
    }
}
