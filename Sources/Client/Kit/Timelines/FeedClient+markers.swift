import FeedAPI

/// A timeline whose read position an account shares among its devices (a marker in the Mastodon API).
public enum ReadPosition: String, Sendable, CaseIterable {
    /// The home timeline, up to a status.
    case home
    /// The notifications, up to a notification.
    case notifications
}

extension FeedClient {
    private struct Marker: Decodable {
        let last_read_id: String
    }

    /// The id of the last status or notification that was read, on any device; `nil` if the server knows none.
    /// - Throws: ``FeedClientError``.
    public func readPosition(_ position: ReadPosition) async throws -> String? {
        let query = [("timeline[]", Optional(position.rawValue))]
        let response = try await transport.send(request(Paths.markers, query: query))
        return try response.decode([String: Marker].self)[position.rawValue]?.last_read_id
    }

    /// Moves a read position forward or backward. The account's other clients see the change.
    /// - Throws: ``FeedClientError``.
    public func setReadPosition(_ position: ReadPosition, to id: String) async throws {
        _ = try await transport.send(formRequest(Paths.markers, [("\(position.rawValue)[last_read_id]", id)]))
    }
}

extension OfflineSync {
    /// Moves a read position forward, locally and on the server, unless it is already further ahead.
    /// - Parameter id: The newest status or notification that was shown.
    /// - Throws: ``FeedClientError``. In that case, the next call updates the server.
    public func markRead(_ position: ReadPosition, upTo id: String) async throws {
        guard let unsent = try await store.moveReadPosition(position, to: id) else { return }
        let remote = try await client.readPosition(position).flatMap { StatusKey($0) }
        if remote.map({ $0 < unsent }) ?? true { try await client.setReadPosition(position, to: unsent.id) }
        try await store.confirmReadPosition(position, at: max(remote ?? unsent, unsent))
    }
}
