public import FeedAPI

/// A timeline.
public enum TimelineName: Hashable, Sendable {
    /// Statuses of this account and of the accounts that it follows.
    case home
    /// Public statuses of all accounts.
    case `public`
    /// Public statuses of the accounts of this server.
    case local
    /// Statuses of an account, by username without `@`.
    case account(String)
    /// Public statuses with a hashtag, without `#`.
    case tag(String)
    /// Statuses of the members of a list of this account, by its title or id.
    case list(String)
    /// Statuses that this account has favourited, the latest favourite first.
    case favourites
    /// Statuses that this account has bookmarked, the latest bookmark first.
    case bookmarks

    /// Whether the server shows the timeline only to an account.
    public var needsLogin: Bool {
        switch self {
        case .home, .list, .favourites, .bookmarks: true
        case .public, .local, .account, .tag: false
        }
    }

    /// Whether the timeline is sorted by the ids of its statuses, so that these can delimit a part of it.
    public var isSortedByID: Bool {
        switch self {
        case .favourites, .bookmarks: false
        default: true
        }
    }
}

/// The part of a timeline to read.
public struct TimelineRange: Sendable, Equatable {
    /// Only statuses older than the one with this id.
    public var before: String?
    /// Only statuses newer than the one with this id.
    public var since: String?

    public init(before: String? = nil, since: String? = nil) {
        self.before = before
        self.since = since
    }
}

extension TimelineName {
    /// The name under which the timeline is stored.
    var storedName: String {
        switch self {
        case .home: "home"
        case .public: "public"
        case .local: "local"
        case .tag(let name): "#" + name.lowercased()
        case .favourites: "favourites"
        case .bookmarks: "bookmarks"
        case .account(let name): "@" + name.lowercased()
        case .list(let name): "list:" + name
        }
    }

    /// - Parameter storedName: As in ``storedName``.
    init?(storedName: String) {
        let named: [String: TimelineName] = [
            "home": .home, "public": .public, "local": .local, "favourites": .favourites, "bookmarks": .bookmarks,
        ]
        if let name = named[storedName] {
            self = name
        } else if storedName.hasPrefix("#") {
            self = .tag(String(storedName.dropFirst()))
        } else if storedName.hasPrefix("@") {
            self = .account(String(storedName.dropFirst()))
        } else if storedName.hasPrefix("list:") {
            self = .list(String(storedName.dropFirst("list:".count)))
        } else {
            return nil
        }
    }

    /// Whether servers keep only the newest statuses of the timeline; Mastodon keeps some hundreds.
    var isTruncatedByServer: Bool {
        switch self {
        case .home, .list: true
        default: false
        }
    }
}

/// A status, decoded and as the server sent it.
public struct TimelineEntry: Sendable {
    public let status: Entity.Status
    /// The JSON object that the server sent.
    public let json: [UInt8]

    public init(status: Entity.Status, json: [UInt8]) {
        self.status = status
        self.json = json
    }

    /// The status, or the one that it boosts.
    var inner: Entity.Status { status.reblog?.value ?? status }
}

extension FeedClient {
    /// The status in a response.
    static func entry(_ response: Response) throws -> TimelineEntry {
        TimelineEntry(status: try response.decode(Entity.Status.self), json: response.bytes)
    }
}

/// A status of a timeline, with the accounts whose boosts brought it there.
public struct BoostedStatus: Sendable, Equatable {
    /// The status itself, never a boost.
    public let status: Entity.Status
    /// In the order of the timeline, each once.
    public private(set) var boosters: [Entity.Account]

    /// A single status or boost.
    public init(_ status: Entity.Status) {
        var inner = status.reblog?.value ?? status
        // Servers send the filters with the boost, with the boosted status, or with both.
        if let outer = status.filtered, status.reblog != nil { inner.filtered = (inner.filtered ?? []) + outer }
        self.status = inner
        boosters = status.reblog == nil ? [] : [status.account]
    }

    /// The statuses of a timeline, each once, where it appears first.
    public static func merged(_ statuses: [Entity.Status]) -> [BoostedStatus] {
        var merged: [BoostedStatus] = []
        var positions: [String: Int] = [:]
        for status in statuses {
            let item = BoostedStatus(status)
            guard let position = positions[item.status.id] else {
                positions[item.status.id] = merged.count
                merged.append(item)
                continue
            }
            for account in item.boosters where !merged[position].boosters.contains(where: { $0.id == account.id }) {
                merged[position].boosters.append(account)
            }
        }
        return merged
    }
}
