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
    /// When the newest of them was posted, in milliseconds since 1970.
    package var lastStatusAt: Int64?

    package init(id: Int64, name: String, statusesCount: Int = 0, lastStatusAt: Int64? = nil) {
        self.id = id
        self.name = name
        self.statusesCount = statusesCount
        self.lastStatusAt = lastStatusAt
    }
}
