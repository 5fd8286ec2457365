/// The rules that determine who may boost a status, and with which visibility.
package enum BoostRule {
    /// Decides whether `account` may boost a status. A direct status cannot be boosted; a followers-only status can be
    /// boosted only by its author.
    /// - Parameter wanted: The requested visibility, if any.
    /// - Returns: The visibility of the boost.
    /// - Throws: ``FeedError`` `.forbidden`.
    package static func visibility(
        of status: Status, wanted: Visibility?, by account: Int64
    ) throws(FeedError) -> Visibility {
        switch status.visibility {
        case .public, .unlisted: return wanted == .direct ? .followers : wanted ?? .public
        case .followers where status.account.id == account: return .followers
        case .followers, .direct: throw .notAllowed
        }
    }
}

/// The rules for pinning statuses to a profile.
package enum PinRule {
    /// Checks whether `account` may pin a status.
    /// - Parameter pinned: The number of other statuses the account has pinned.
    /// - Throws: ``FeedError`` `.invalid`, with the wording of Mastodon.
    package static func check(_ status: Status, by account: Int64, pinned: Int) throws(FeedError) {
        guard status.account.id == account else { throw .invalid("Someone else's post cannot be pinned") }
        guard status.boost == nil else { throw .invalid("A boost cannot be pinned") }
        guard status.visibility != .direct else {
            throw .invalid("Posts that are only visible to mentioned users cannot be pinned")
        }
        guard pinned < Limits.pinnedStatuses else {
            throw .invalid("You have already pinned the maximum number of posts")
        }
    }
}
