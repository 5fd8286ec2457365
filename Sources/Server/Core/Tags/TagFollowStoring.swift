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
