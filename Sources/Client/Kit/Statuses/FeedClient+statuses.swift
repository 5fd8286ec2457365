import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOHTTP1

/// An action on a status that can be undone.
public enum StatusAction: String, Codable, Sendable, CaseIterable {
    case favourite, boost, bookmark
    /// Shows one of the account's own statuses on top of its profile.
    case pin

    /// The last component of the path.
    fileprivate func verb(undo: Bool) -> String { (undo ? "un" : "") + (self == .boost ? "reblog" : rawValue) }
}

extension FeedClient {
    /// Favourites, boosts, bookmarks or pins a status, or undoes that. Repeating it has no further effect.
    /// - Returns: The status. For a boost, the new status whose `reblog` is the boosted one.
    /// - Throws: ``FeedClientError``; `.notFound` if the status does not exist, `.failed` if the server refuses the
    ///   action, such as pinning the status of another account.
    public func perform(_ action: StatusAction, on id: String, undo: Bool = false) async throws -> TimelineEntry {
        let path = Paths.statuses + "/" + Self.percentEncoded(id) + "/" + action.verb(undo: undo)
        return try Self.entry(try await transport.send(formRequest(path, [])))
    }
}

extension FeedClient {
    /// A single status.
    /// - Throws: ``FeedClientError``.
    public func status(_ id: String) async throws -> TimelineEntry {
        try Self.entry(try await transport.send(request(Paths.statuses + "/" + Self.percentEncoded(id))))
    }
}

extension FeedClient {
    /// Deletes a status of this account.
    /// - Throws: ``FeedClientError``.
    public func delete(_ id: String) async throws -> TimelineEntry {
        var request = request(Paths.statuses + "/" + Self.percentEncoded(id))
        request.method = .DELETE
        return try Self.entry(try await transport.send(request))
    }
}
