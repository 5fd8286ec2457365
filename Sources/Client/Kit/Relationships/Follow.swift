public import FeedAPI

extension FeedClient {
    /// Follows or unfollows an account. An account that approves its followers is asked first; the relationship is then
    /// `requested`.
    /// - Throws: ``FeedClientError``.
    @discardableResult public func follow(_ id: String, _ follows: Bool = true) async throws -> Entity.Relationship {
        try await relate(to: id, follows ? "follow" : "unfollow")
    }
}
