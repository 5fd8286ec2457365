import AsyncHTTPClient
import FeedAPI

extension FeedClient {
    /// A single status.
    /// - Throws: ``FeedClientError``.
    public func status(_ id: String) async throws -> TimelineEntry {
        try Self.entry(try await transport.send(request(Paths.statuses + "/" + Self.percentEncoded(id))))
    }
}
