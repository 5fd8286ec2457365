import AsyncHTTPClient
import FeedAPI
import NIOHTTP1

extension FeedClient {
    /// Deletes a file of this account.
    /// - Throws: ``FeedClientError``; `.notFound` if there is no such file, `.unauthorized` if it belongs to another
    ///   account.
    public func deleteFile(named name: String) async throws {
        var request = request(Paths.files + "/" + Self.percentEncoded(name))
        request.method = .DELETE
        _ = try await transport.send(request)
    }
}
