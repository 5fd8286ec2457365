/// Who follows whom, and who asks to.
package protocol FollowStoring: Sendable {
    /// Follows, or asks to when the account is locked. Doing it again only changes what `update` names.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for oneself and when one of the two blocks the other.
    func follow(_ followee: Int64, by follower: Int64, _ update: FollowUpdate) async throws
    /// Ends a follow, or takes a request back.
    func unfollow(_ followee: Int64, by follower: Int64) async throws
    /// Makes `follower` follow `followee` no longer; a request stays.
    func removeFollower(_ follower: Int64, from followee: Int64) async throws
    /// - Throws: ``FeedError`` `.notFound` when there is no such request.
    func accept(_ follower: Int64, by followee: Int64) async throws
    /// - Throws: ``FeedError`` `.notFound` when there is no such request.
    func reject(_ follower: Int64, by followee: Int64) async throws
    /// Who asks to follow, the newest request first; pages go by the request's id.
    func requests(to followee: Int64, page: Pagination) async throws -> [FollowRequest]
    func requestsCount(to followee: Int64) async throws -> Int
    /// Who follows the account, the newest account first; pages go by account id. Empty for whom the account blocks.
    func followers(of account: Int64, page: Pagination, for viewer: Int64?) async throws -> [Account]
    /// Whom the account follows, the newest account first; pages go by account id. Empty for whom the account blocks.
    func following(of account: Int64, page: Pagination, for viewer: Int64?) async throws -> [Account]
}
