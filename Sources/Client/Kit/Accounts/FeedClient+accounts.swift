import AsyncHTTPClient
public import FeedAPI
import NIOCore

extension FeedClient {
    /// The account one is logged in as.
    public func verifyCredentials() async throws -> Entity.Account {
        try await transport.send(request(Paths.verifyCredentials)).decode(Entity.Account.self)
    }

    /// An account by its name, with or without `@`.
    /// - Throws: ``FeedClientError`` `.notFound` when there is none.
    public func account(named name: String) async throws -> Entity.Account {
        let name = name.hasPrefix("@") ? String(name.dropFirst()) : name
        do {
            return try await transport.send(request(Paths.lookup, query: [("acct", name)])).decode(Entity.Account.self)
        } catch let error as FeedClientError where error.code == .notFound {
            throw FeedClientError(
                .notFound, "There is no account @\(name)", hint: "Check the name.", cause: error, status: error.status)
        }
    }

    /// Follows an account, or stops following it.
    public func follow(_ id: String, _ follows: Bool = true) async throws {
        _ = try await transport.send(
            form(Paths.accounts + "/\(Self.escaped(id))/" + (follows ? "follow" : "unfollow"), []))
    }
}
