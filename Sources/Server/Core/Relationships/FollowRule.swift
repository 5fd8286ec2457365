/// Whether a follow is allowed, and whether the followed account has to approve it.
package enum FollowRule {
    package enum Decision: Sendable, Equatable {
        /// The follow begins at once, or exists already.
        case follow
        /// The followed account is asked first.
        case request
    }

    /// - Parameters:
    ///   - isBlocked: Whether one of the two blocks the other.
    ///   - isFollowing: Whether the follow exists already; a locked account need not approve it again.
    /// - Throws: ``FeedError`` `.notFound` for a suspended account, `.forbidden` for oneself and after a block.
    package static func decide(
        _ followee: Account, by follower: Int64, isBlocked: Bool, isFollowing: Bool
    ) throws(FeedError) -> Decision {
        guard followee.suspendedAt == nil else { throw .notFound }
        guard followee.id != follower, !isBlocked else { throw .notAllowed }
        return followee.isLocked && !isFollowing ? .request : .follow
    }
}
