import AsyncHTTPClient
import FeedAPI

extension FeedClient {
    /// Makes the token void on the server.
    public func revoke() async throws {
        guard case .token(let token) = credential else { return }
        _ = try await transport.send(form(Paths.revoke, [("token", token)]))
    }
}
