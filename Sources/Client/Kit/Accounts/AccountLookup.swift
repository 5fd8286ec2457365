import AsyncHTTPClient
public import FeedAPI
import NIOCore

extension FeedClient {
    /// The account that the credential belongs to.
    public func verifyCredentials() async throws -> Entity.Account {
        try await transport.send(request(Paths.verifyCredentials)).decode(Entity.Account.self)
    }

    /// The account with a handle: `name` or `name@domain`, which may start with `@`.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if it does not exist.
    public func account(named name: String) async throws -> Entity.Account { try await lookUp(name).account }

    /// The account with a handle, as in ``account(named:)``, decoded and as the server sent it.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if it does not exist.
    public func lookUp(_ name: String) async throws -> (account: Entity.Account, json: [UInt8]) {
        // The server may know itself by another address than the one that the handle names.
        let name = AccountHandle(name).map { $0.isLocal(to: server.authority) ? $0.name : $0.acct } ?? name
        do {
            let response = try await transport.send(request(Paths.lookup, query: [("acct", name)]))
            return (try response.decode(Entity.Account.self), response.bytes)
        } catch let error as FeedClientError where error.code == .notFound {
            throw FeedClientError(
                .notFound, "There is no account @\(name)", hint: "Check the name.", cause: error, status: error.status)
        }
    }
}
