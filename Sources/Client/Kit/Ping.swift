import AsyncHTTPClient
public import FeedAPI

extension FeedClient {
    /// The server's description of itself, and the duration of a minimal request.
    /// - Throws: ``FeedClientError``.
    public func ping() async throws -> (instance: Entity.Instance, elapsed: Duration) {
        let start = ContinuousClock.now
        do {
            _ = try await transport.send(request(Paths.health))
        } catch let error as FeedClientError where [404, 405].contains(error.status) {
            // Not every server has this path, but it has responded.
        }
        let elapsed = ContinuousClock.now - start
        return (try await transport.send(request(Paths.instance)).decode(Entity.Instance.self), elapsed)
    }
}
