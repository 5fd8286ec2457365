import AsyncHTTPClient
import FeedAPI
import NIOHTTP1

extension FeedClient {
    /// Deletes a status of this account.
    /// - Throws: ``FeedClientError``.
    public func delete(_ id: String) async throws -> TimelineEntry {
        var request = request(Paths.statuses + "/" + Self.percentEncoded(id))
        request.method = .DELETE
        return try Self.entry(try await transport.send(request))
    }
}
