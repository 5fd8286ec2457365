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
