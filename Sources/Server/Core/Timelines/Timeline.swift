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

/// The contents of an account's home timeline, which decide how it is read.
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

/// An entry of a list of statuses.
package protocol ListedEntry: Sendable {
    /// The id used to page the list.
    var pageID: Int64 { get }
    var references: StatusReferences { get }
}

/// The statuses and accounts whose entity or id the entity of a status contains.
package struct StatusReferences: Sendable, Equatable {
    package var id: Int64
    package var author: Int64
    package var parent: Int64?
    package var boost: Int64?
    package var booster: Int64?
}

extension Status: ListedEntry {
    package var references: StatusReferences {
        StatusReferences(
            id: id, author: account.id, parent: inReplyToID, boost: boost?.id, booster: boost?.account.id)
    }
}

/// A viewer's marks on an entry of a list.
package struct MarkedEntry: Sendable, Equatable {
    /// The id of the status, or of the boost.
    package let id: Int64
    package let pageID: Int64
    package let marks: SharedStatus.Marks

    package init(id: Int64, pageID: Int64, marks: SharedStatus.Marks) {
        (self.id, self.pageID, self.marks) = (id, pageID, marks)
    }
}

/// The statuses and boosts that the reader of a list knows as they are at a position of the change log; `nil` for each of
/// the others.
package typealias KnownStatuses = @Sendable (_ ids: [Int64], _ position: Int64) -> [StatusTemplate?]

/// A status in a list, with what its viewer has marked. Its content is not read if the reader of the list knows it.
package struct ListedStatus: ListedEntry {
    package enum Content: Sendable {
        case known(StatusTemplate)
        case read(ReadStatus)
    }

    package let entry: MarkedEntry
    package let content: Content

    package init(_ entry: MarkedEntry, _ content: Content) { (self.entry, self.content) = (entry, content) }

    package var pageID: Int64 { entry.pageID }

    package var references: StatusReferences {
        switch content {
        case .known(let template): template.references
        case .read(let read): read.status.references
        }
    }
}

/// A status without marks, as it was at a position of the change log. An object, because copying a status costs more than
/// allocating one.
package final class ReadStatus: Sendable {
    package let status: Status
    package let position: Int64

    package init(_ status: consuming Status, at position: Int64) { (self.status, self.position) = (status, position) }
}

/// The JSON of a status that is encoded once for many viewers. What depends on the viewer is inserted for each of them.
package struct StatusTemplate: Sendable {
    package let bytes: [UInt8]
    /// The positions in ``bytes`` at which the fields are inserted that depend on the viewer.
    package let gaps: [Int]
    package let hasPoll: Bool
    package let isDirect: Bool
    package let references: StatusReferences

    package init(bytes: [UInt8], gaps: [Int], of status: Status) {
        (self.bytes, self.gaps, references) = (bytes, gaps, status.references)
        (hasPoll, isDirect) = (status.poll != nil, status.visibility == .direct)
    }

    /// The approximate memory in bytes.
    package var cost: Int { bytes.count + 8 * gaps.count + 256 }

    /// Whether a viewer could pin the status.
    package func canPin(_ viewer: Int64) -> Bool { viewer == references.author && !isDirect }
}
