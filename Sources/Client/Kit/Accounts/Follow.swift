import AsyncHTTPClient
import FeedAPI

extension FeedClient {
    /// Follows or unfollows an account.
    public func follow(_ id: String, _ follows: Bool = true) async throws {
        let path = Paths.accounts + "/\(Self.percentEncoded(id))/" + (follows ? "follow" : "unfollow")
        _ = try await transport.send(formRequest(path, []))
    }
}
