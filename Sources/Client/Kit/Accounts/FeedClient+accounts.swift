import AsyncHTTPClient
public import FeedAPI
import NIOCore

extension FeedClient {
    /// The account one is logged in as.
    public func verifyCredentials() async throws -> Entity.Account {
        try await transport.send(request(Paths.verifyCredentials)).decode(Entity.Account.self)
    }

    /// An account by its name, with or without `@`.
    public func account(named name: String) async throws -> Entity.Account {
        let name = name.hasPrefix("@") ? String(name.dropFirst()) : name
        return try await transport.send(request(Paths.lookup, query: [("acct", name)])).decode(Entity.Account.self)
    }

    /// Follows an account, or stops following it.
    public func follow(_ id: String, _ follows: Bool = true) async throws {
        _ = try await transport.send(
            form(Paths.accounts + "/\(Self.escaped(id))/" + (follows ? "follow" : "unfollow"), []))
    }
}
