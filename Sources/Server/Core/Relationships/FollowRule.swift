/// The rules that determine whether a follow is allowed, and whether the followed account must approve it.
package enum FollowRule {
    package enum Decision: Sendable, Equatable {
        /// The follow takes effect immediately, or exists already.
        case follow
        /// The follow requires the approval of the followed account.
        case request
    }

    /// The maximum number of accounts that an account follows or has asked to follow, as in Mastodon. A home timeline may
    /// cost an index seek for each of them.
    package static let maximum = 7500

    /// - Parameter count: The number of accounts that the account follows or has asked to follow.
    /// - Throws: ``FeedError`` `.invalid` if it must not follow another one.
    package static func checkNumber(_ count: Int) throws(FeedError) {
        guard count < maximum else { throw .invalid("You cannot follow more than \(maximum) accounts") }
    }

    /// The maximum number of languages of a follow.
    package static let maximumLanguages = 50

    /// Checks the languages of a follow.
    /// - Returns: Each language once.
    /// - Throws: ``FeedError`` `.invalid` for too many, or for a text that is no language tag.
    package static func languages(_ words: [String]) throws(FeedError) -> [String] {
        var languages: [String] = []
        for word in words where !languages.contains(word) {
            guard languages.count < maximumLanguages, LanguageTag.isValid(word) else {
                throw .invalid("Languages is invalid")
            }
            languages.append(word)
        }
        return languages
    }

    /// - Parameters:
    ///   - isBlocked: Whether one of the two blocks the other.
    ///   - isFollowing: Whether the follow exists already; a locked account need not approve it again.
    ///   - isSilenced: Whether the follower is silenced. As in Mastodon, its follows always require approval.
    /// - Throws: ``FeedError`` `.notFound` if the account is suspended, `.forbidden` if the accounts are the same or
    ///   one blocks the other.
    package static func decide(
        _ followee: Account, by follower: Int64, isBlocked: Bool, isFollowing: Bool, isSilenced: Bool = false
    ) throws(FeedError) -> Decision {
        guard followee.suspendedAt == nil else { throw .notFound }
        guard followee.id != follower else { throw .ownAccount }
        guard !isBlocked else { throw .notAllowed }
        return (followee.isLocked || isSilenced) && !isFollowing ? .request : .follow
    }
}

/// The options of a follow.
package struct FollowOptions: Sendable, Equatable {
    /// Whether boosts by the followed account appear in the home timeline.
    package var showsReblogs: Bool
    /// Whether the follower is notified of each new status.
    package var notifies: Bool
    /// The languages of the statuses that appear in the home timeline; empty for all.
    package var languages: [String]

    package init(showsReblogs: Bool = true, notifies: Bool = false, languages: [String] = []) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
        self.languages = languages
    }
}

/// A requested change to the options of a follow; `nil` leaves an option unchanged.
package struct FollowUpdate: Sendable {
    package var showsReblogs: Bool?
    package var notifies: Bool?
    /// Checked by ``FollowRule/languages(_:)``.
    package var languages: [String]?

    package init(showsReblogs: Bool? = nil, notifies: Bool? = nil, languages: [String]? = nil) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
        self.languages = languages
    }

    /// The given options with the requested changes.
    package func applied(to options: FollowOptions = FollowOptions()) -> FollowOptions {
        FollowOptions(
            showsReblogs: showsReblogs ?? options.showsReblogs, notifies: notifies ?? options.notifies,
            languages: languages ?? options.languages)
    }
}

/// A pending follow request.
package struct FollowRequest: Sendable, Equatable {
    /// The id of the request.
    package var id: Int64
    /// The requesting account.
    package var account: Account

    package init(id: Int64, account: Account) {
        self.id = id
        self.account = account
    }
}
