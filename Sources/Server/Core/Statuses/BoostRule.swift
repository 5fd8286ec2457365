/// Who may boost a status, and for whom.
package enum BoostRule {
    /// A direct status is for the accounts it mentions, and a followers-only one is its author's to spread.
    /// - Parameter wanted: The visibility the client asks for.
    /// - Returns: The visibility of the boost.
    /// - Throws: ``FeedError`` `.forbidden`.
    package static func visibility(
        of status: Status, wanted: Visibility?, by account: Int64
    ) throws(FeedError) -> Visibility {
        switch status.visibility {
        case .everyone, .unlisted: return wanted == .direct ? .followers : wanted ?? .everyone
        case .followers where status.account.id == account: return .followers
        case .followers, .direct: throw .notAllowed
        }
    }
}
