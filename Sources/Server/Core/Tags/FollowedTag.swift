/// A hashtag that an account follows.
package struct FollowedTag: Sendable, Equatable {
    /// The id by which pages are addressed; higher for a newer follow.
    package var id: Int64
    /// Its ``Hashtag/key(_:)``.
    package var name: String

    package init(id: Int64, name: String) {
        self.id = id
        self.name = name
    }
}

/// Stores followed hashtags, by their ``Hashtag/key(_:)``.
package protocol TagFollowStoring: Sendable {
    /// Follows a hashtag. To follow it again changes nothing.
    /// - Throws: ``FeedError`` `.invalid` beyond ``TagFollowRule/maximum``; `.forbidden` for a removed account.
    func follow(tag: String, by account: Int64) async throws
    /// Unfollows a hashtag, if it is followed.
    func unfollow(tag: String, by account: Int64) async throws
    /// The hashtags that an account follows, the newest follow first.
    func followedTags(by account: Int64, page: Pagination) async throws -> [FollowedTag]
    /// The names of all hashtags that an account follows.
    func followedNames(by account: Int64) async throws -> Set<String>
}

/// The rule of how many hashtags an account may follow.
package enum TagFollowRule {
    /// The maximum number of hashtags that an account follows.
    package static let maximum = 100

    /// - Parameter count: The number of hashtags that the account follows.
    /// - Throws: ``FeedError`` `.invalid` if it must not follow another one.
    package static func checkNumber(_ count: Int) throws(FeedError) {
        guard count < maximum else { throw .invalid("You cannot follow more than \(maximum) hashtags") }
    }
}

/// A hashtag that an account shows on its profile.
package struct FeaturedTag: Sendable, Equatable {
    /// The maximum number per account.
    package static let maximum = 10
    /// The maximum number of an account's statuses that are read to count those with a hashtag.
    package static let maximumCounted = 1000

    package var id: Int64
    /// The hashtag as the account has written it, without `#`.
    package var name: String
    /// The number of the account's public and unlisted statuses with the hashtag, at most ``maximumCounted``.
    package var statusesCount: Int
    /// The time of the newest of them, in milliseconds since 1970.
    package var lastStatusAt: Int64?

    package init(id: Int64, name: String, statusesCount: Int = 0, lastStatusAt: Int64? = nil) {
        self.id = id
        self.name = name
        self.statusesCount = statusesCount
        self.lastStatusAt = lastStatusAt
    }
}

/// Stores the use of hashtags, and the hashtags that accounts feature.
package protocol TagStoring: Sendable {
    /// The use of hashtags during the last days, in the given order.
    /// - Parameter tags: The keys of hashtags, at most 200.
    func histories(of tags: [String]) async throws -> [TagHistory]
    /// The hashtags that an account features, in the order in which it chose them.
    func featured(by account: Int64) async throws -> [FeaturedTag]
    /// Features a hashtag, or returns the one that is featured already.
    /// - Parameter name: The hashtag as written, without `#`.
    /// - Throws: ``FeedError`` `.invalid` if the account features ``FeaturedTag/maximum`` hashtags.
    func feature(_ name: String, by account: Int64) async throws -> FeaturedTag
    /// - Throws: ``FeedError`` `.notFound` if the account does not feature it.
    func unfeature(_ id: Int64, by account: Int64) async throws
    /// The hashtags that an account used most in its newest statuses and does not feature, by their keys.
    func suggestedTags(for account: Int64) async throws -> [String]
    /// Deletes the uses of days that no history shows, some at a time.
    /// - Returns: The number of deleted rows.
    func pruneUses() async throws -> Int
}
