import AsyncHTTPClient
import FeedAPI

/// Which servers are known to honor idempotency keys. Pure.
enum IdempotencySupport {
    /// The versions of Mastodon in use; GoToSocial, which ignores keys, has lower ones.
    private static let versions = 2..<100

    /// - Parameter version: The version that the server states: `4.3.0` for Mastodon, and
    ///   `4.3.0 (compatible; feedserver 1.0.0)` for servers with its API.
    static func isKnown(version: String) -> Bool {
        if let name = version.firstMatch(of: /\(compatible; ([^ )]+)/) { return name.1 == "feedserver" }
        let mastodon =
            /([0-9]{1,4})\.[0-9]+\.[0-9]+(?:-(?:alpha|beta|rc|nightly)[0-9a-z.\-]*)?(?:\+(?:glitch|hometown)[0-9a-z.\-]*)?/
        return version.wholeMatch(of: mastodon).flatMap { Int($0.1) }.map(versions.contains) ?? false
    }
}

extension FeedClient {
    /// Whether the server is known to honor idempotency keys for an hour.
    /// - Throws: ``FeedClientError``, except if the server does not say what it is.
    func honorsIdempotencyKeys() async throws -> Bool {
        do {
            let instance = try await transport.send(request(Paths.instance)).decode(Entity.Instance.self)
            return IdempotencySupport.isKnown(version: instance.version)
        } catch let error as FeedClientError where error.isPermanent {
            return false
        }
    }
}
