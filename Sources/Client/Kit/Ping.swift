import AsyncHTTPClient
public import FeedAPI

extension FeedClient {
    /// The server's description of itself, and the duration of a minimal request.
    public func ping() async throws -> (instance: Entity.Instance, elapsed: Duration) {
        let start = ContinuousClock.now
        _ = try await transport.send(request(Paths.health))
        let elapsed = ContinuousClock.now - start
        return (try await transport.send(request(Paths.instance)).decode(Entity.Instance.self), elapsed)
    }
}
