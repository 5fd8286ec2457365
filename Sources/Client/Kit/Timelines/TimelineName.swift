/// A timeline.
public enum TimelineName: Hashable, Sendable {
    /// Statuses of this account and of the accounts that it follows.
    case home
    /// Public statuses of all accounts.
    case `public`
    /// Public statuses of the accounts of this server.
    case local
    /// Statuses of an account, by user name without `@`.
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
