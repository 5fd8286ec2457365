/// Stores follows and follow requests.
package protocol FollowStoring: Sendable {
    /// Follows an account, or requests to follow it if it is locked. An existing follow is updated.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the accounts are the same or one blocks the other; `.invalid`
    ///   beyond ``FollowRule/maximum``.
    func follow(_ followee: Int64, by follower: Int64, _ update: FollowUpdate) async throws
    /// Ends a follow or withdraws a follow request.
    func unfollow(_ followee: Int64, by follower: Int64) async throws
    /// Removes a follower; a pending follow request is kept.
    func removeFollower(_ follower: Int64, from followee: Int64) async throws
    /// Accepts a follow request.
    /// - Throws: ``FeedError`` `.notFound` if there is no such request.
    func accept(_ follower: Int64, by followee: Int64) async throws
    /// Rejects a follow request.
    /// - Throws: ``FeedError`` `.notFound` if there is no such request.
    func reject(_ follower: Int64, by followee: Int64) async throws
    /// Pending follow requests, newest first; paged by request id.
    func requests(to followee: Int64, page: Pagination) async throws -> [FollowRequest]
    /// The number of pending follow requests.
    func requestsCount(to followee: Int64) async throws -> Int
    /// The followers of an account, newest account first; paged by account id. Empty if the account blocks the viewer.
    func followers(of account: Int64, page: Pagination, for viewer: Int64?) async throws -> [Account]
    /// The accounts that an account follows, newest account first; paged by account id. Empty if the account blocks the
    /// viewer.
    func following(of account: Int64, page: Pagination, for viewer: Int64?) async throws -> [Account]
    /// The followers of an account whom the viewer follows, newest account first; without those who hide whom they
    /// follow. At most 40, among the newest 2,000 whom the viewer follows.
    func familiarFollowers(of account: Int64, for viewer: Int64) async throws -> [Account]
}
