import AsyncHTTPClient
import FeedAPI

extension FeedClient {
    /// Revokes the access token on the server.
    public func revoke() async throws {
        guard case .token(let token) = credential else { return }
        _ = try await transport.send(formRequest(Paths.revoke, [("token", token)]))
    }
}
