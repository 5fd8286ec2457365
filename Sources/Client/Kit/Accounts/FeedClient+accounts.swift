import AsyncHTTPClient
public import FeedAPI

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
        try await lookUp(name, nil)
    }

    func account(named name: String, _ policy: CachePolicy?) async throws -> Entity.Account {
        try await lookUp(name, policy).account
    }

    /// - Parameter policy: How the cache is used; `nil` for the policy of the client.
    private func lookUp(
        _ name: String, _ policy: CachePolicy?
    ) async throws -> (account: Entity.Account, json: [UInt8]) {
        // The server's own address may differ from the one in the handle.
        let name = AccountHandle(name).map { $0.isLocal(to: server.authority) ? $0.name : $0.acct } ?? name
        do {
            let response = try await transport.send(request(Paths.lookup, query: [("acct", name)]), policy)
            return (try response.decode(Entity.Account.self), response.bytes)
        } catch let error as FeedClientError where error.code == .notFound {
            throw FeedClientError(
                .notFound, "No account @\(name)", hint: "Check the name.", cause: error, status: error.status)
        }
    }
}
