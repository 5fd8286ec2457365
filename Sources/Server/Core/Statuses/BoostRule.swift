/// The rules that determine who may boost a status, and with which visibility.
package enum BoostRule {
    /// Decides whether `account` may boost a status. A direct status cannot be boosted; a followers-only status can be
    /// boosted only by its author.
    /// - Parameter wanted: The visibility that the client requested, if any.
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
