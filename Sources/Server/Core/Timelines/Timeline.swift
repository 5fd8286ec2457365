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
    /// Without unlisted statuses, too.
    package var onlyPublic = false
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

/// The sources of the statuses in a timeline that differs for each account.
package struct TimelineSources: Sendable, Equatable {
    /// The accounts whose statuses the timeline contains: of a list, the members; at home, the account and those that it
    /// follows. `nil` if they are too many to list.
    package var authors: Set<Int64>?
    /// The keys of the hashtags whose public statuses the timeline contains.
    package var tags: Set<String>
    /// Set for a home timeline.
    package var home: HomeContent?

    package init(authors: Set<Int64>? = [], tags: Set<String> = [], home: HomeContent? = nil) {
        self.authors = authors
        self.tags = tags
        self.home = home
    }

    /// The approximate memory in bytes.
    package var cost: Int { 16 * (authors?.count ?? 1) + 128 * tags.count }
}

/// What an account's home timeline contains, which decides how it is read.
package struct HomeContent: Sendable, Equatable {
    package let account: Int64
    /// The number of accounts and hashtags that the account follows.
    package var follows = 0
    package var hasTags = false
    /// Whether the members of some lists are left out.
    package var hasExclusiveLists = false
    /// Whether the account blocks or mutes others, or is blocked.
    package var hidesAccounts = true

    /// The home timeline of an account with neither lists nor followed hashtags.
    package init(account: Int64) { self.account = account }
}

extension ChangeDependencies {
    /// The dependencies of statuses that a value shows outside of any list.
    /// - Parameter viewer: The account for which they were read; `nil` for anonymous visitors.
    package init(showing statuses: [Status], to viewer: Int64?) {
        // By index, because copying a status costs more than its references.
        self.init(showing: statuses.indices.map { statuses[$0].references }, to: viewer)
    }

    /// The dependencies of statuses that a value shows outside of any list.
    package init(showing statuses: [StatusReferences], to viewer: Int64?) {
        self.init()
        self.viewer = viewer
        accounts.reserveCapacity(statuses.count)
        self.statuses.reserveCapacity(2 * statuses.count)
        for status in statuses { add(status) }
    }

    /// The dependencies of a page of a timeline.
    /// - Parameters:
    ///   - pagination: The requested page.
    ///   - sources: Where the statuses of a home timeline or of a list come from. Ignored for other timelines.
    package init<Entry: ListedEntry>(
        _ page: Page<Entry>, of timeline: Timeline, _ pagination: Pagination, sources: TimelineSources, viewer: Int64?
    ) {
        self.init(showing: page.entries.indices.map { page.entries[$0].references }, to: viewer)
        if let following = page.following { add(following.references) }
        authors = timeline.newAuthors(sources)
        tags = timeline.newTags(sources)
        end = Self.end(of: page, pagination)
        // Where reading stopped depends on statuses that the page does not show.
        onAnything = page.endsEarly || (timeline.hasSources && sources.authors == nil) || timeline == .classic
    }

    private mutating func add(_ status: StatusReferences) {
        accounts.insert(status.author)
        statuses.insert(status.id)
        if let parent = status.parent { statuses.insert(parent) }
        if let booster = status.booster { accounts.insert(booster) }
        if let boost = status.boost { statuses.insert(boost) }
    }

    /// New statuses have higher ids than all others, so they never enter a page below an upper bound, nor a full page
    /// that was read upwards.
    private static func end(of page: Page<some Sendable>, _ pagination: Pagination) -> Int64 {
        guard pagination.isAscending, page.entries.count >= pagination.limit else { return pagination.maxID ?? .max }
        return 0
    }
}

extension Timeline {
    /// Whether the timeline depends on ``TimelineSources``.
    package var hasSources: Bool {
        switch self {
        case .home, .list: true
        default: false
        }
    }

    /// The accounts whose new statuses may appear on the timeline.
    fileprivate func newAuthors(_ sources: TimelineSources) -> ChangeDependencies.Authors? {
        switch self {
        case .public, .publicMedia, .conversations, .classic: .everyone
        case .home, .list: sources.authors.map { .accounts($0) }
        case .account(let account, _): .accounts([account])
        // Hashtags select statuses; marks are the viewer's own actions.
        case .tags, .marked: nil
        }
    }

    /// The hashtags with which new public statuses may appear on the timeline.
    fileprivate func newTags(_ sources: TimelineSources) -> Set<String> {
        switch self {
        case .home: sources.tags
        case .tags(let filter): Set(filter.any)
        default: []
        }
    }
}

/// An account's read position in a timeline.
package struct Marker: Sendable, Equatable {
    /// A timeline with a marker. The raw values are stored and used in JSON.
    package enum Timeline: String, Sendable, CaseIterable { case home, notifications }

    package var timeline: Timeline
    package var lastReadID: Int64
    /// The number of times the marker has been moved.
    package var version: Int
    /// Milliseconds since 1970, UTC.
    package var updatedAt: Int64

    package init(timeline: Timeline, lastReadID: Int64, version: Int, updatedAt: Int64) {
        self.timeline = timeline
        self.lastReadID = lastReadID
        self.version = version
        self.updatedAt = updatedAt
    }
}
