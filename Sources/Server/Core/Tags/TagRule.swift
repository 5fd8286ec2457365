/// The rule of how many hashtags an account may follow.
package enum TagRule {
    /// The maximum number of hashtags that an account follows.
    package static let maximum = 100

    /// - Parameter count: The number of hashtags that the account follows.
    /// - Throws: ``FeedError`` `.invalid` if it must not follow another one.
    package static func checkNumber(_ count: Int) throws(FeedError) {
        guard count < maximum else { throw .invalid("You cannot follow more than \(maximum) hashtags") }
    }
}

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
