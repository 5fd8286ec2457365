/// Finds accounts that somebody may want to follow.
package protocol DiscoveryStoring: Sendable {
    /// Accounts to follow, except those that `account` follows, has asked to follow, or has dismissed. Accounts followed
    /// by most of those it follows come first, then the most recently active ones.
    func suggestions(for account: Int64, limit: Int) async throws -> [Suggestion]
    /// Never suggests an account again. Idempotent.
    /// - Throws: ``FeedError`` `.notFound` if there is no such account.
    func dismiss(_ target: Int64, by account: Int64) async throws
    /// A part of the directory of accounts that want to be found. It is shorter than `limit` if the viewer blocks or mutes
    /// some of them.
    /// - Parameter offset: How many to leave out, at most ``Directory/maximumOffset``.
    func directory(_ order: Directory, limit: Int, offset: Int, for viewer: Int64?) async throws -> [Account]
}

/// The order of the directory of accounts.
package enum Directory: String, Sendable, CaseIterable {
    /// By the time of the newest status. Accounts without a status are left out.
    case active
    case new

    package static let maximumOffset = 400
}

/// An account that somebody may want to follow.
package struct Suggestion: Sendable, Equatable {
    /// Why an account is suggested. The raw values are those of the Mastodon API.
    package enum Source: String, Sendable {
        case friendsOfFriends = "friends_of_friends"
        case recentlyActive = "most_interactions"
    }

    package var account: Account
    package var source: Source

    package init(account: Account, source: Source) {
        self.account = account
        self.source = source
    }
}
