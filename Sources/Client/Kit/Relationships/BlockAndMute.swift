public import FeedAPI

extension FeedClient {
    /// Blocks or unblocks an account: neither sees the statuses of the other, nor follows it.
    /// - Throws: ``FeedClientError``.
    @discardableResult public func block(_ id: String, _ blocks: Bool = true) async throws -> Entity.Relationship {
        try await relate(to: id, blocks ? "block" : "unblock")
    }

    /// Hides the statuses of an account from this account's timelines. The account is not told.
    /// - Parameters:
    ///   - seconds: How long; `nil` for until ``unmute(_:)``.
    ///   - hidesNotifications: Whether its notifications are hidden, too.
    /// - Throws: ``FeedClientError``.
    @discardableResult public func mute(
        _ id: String, seconds: Int? = nil, hidesNotifications: Bool = true
    ) async throws -> Entity.Relationship {
        try await relate(
            to: id, "mute",
            [("duration", seconds.map(String.init)), ("notifications", String(hidesNotifications))])
    }

    /// Ends a mute.
    /// - Throws: ``FeedClientError``.
    @discardableResult public func unmute(_ id: String) async throws -> Entity.Relationship {
        try await relate(to: id, "unmute")
    }
}
