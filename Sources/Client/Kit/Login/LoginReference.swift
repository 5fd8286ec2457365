import AsyncHTTPClient
public import FeedAPI
import NIOCore

/// A login of this machine, as entered by a user: `@name`, or `@name@server` if the name is not unique.
public struct LoginReference: Sendable, Equatable {
    /// The username in lowercase.
    private let name: String
    /// The server in lowercase, with or without scheme and port; `nil` for any.
    private let server: String?

    /// - Throws: ``FeedClientError`` `.usage` if the text does not have this form.
    public init(_ text: String) throws(FeedClientError) {
        let handle = text.hasPrefix("@") ? text.dropFirst() : text[...]
        let parts = handle.lowercased().utf8
            .split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
        guard let first = parts.first, !first.isEmpty, parts.last?.isEmpty == false,
            !first.utf8.contains(UInt8(ascii: "/"))
        else {
            throw FeedClientError(
                .usage, "\"\(text)\" does not name a login", hint: "Enter @name or @name@server.")
        }
        name = String(first)
        server = parts.count > 1 ? Self.withoutSlashes(String(parts[1])) : nil
    }

    /// The login with this name.
    /// - Throws: ``FeedClientError`` `.unauthorized` if no login matches, `.usage` if several match.
    public func login(among logins: [CredentialStore.Login]) throws(FeedClientError) -> CredentialStore.Login {
        let matches = logins.filter { $0.username.lowercased() == name && isServer($0.server) }
        guard let login = matches.first else {
            throw FeedClientError(
                .unauthorized, "Not logged in as \(self)", hint: "feedclient accounts lists the logins.")
        }
        guard matches.count == 1 else {
            let servers = matches.map { "@\($0.username)@\(Self.withoutScheme($0.server))" }
            throw FeedClientError(
                .usage, "\(self) is logged in to several servers", hint: "Enter " + servers.joined(separator: " or "))
        }
        return login
    }

    private func isServer(_ address: String) -> Bool {
        guard let server else { return true }
        let address = address.lowercased()
        let host = Self.withoutScheme(address)
        return [address, host, Self.withoutPort(host)].contains(server)
    }

    private static func withoutSlashes(_ text: String) -> String {
        var text = text
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    private static func withoutScheme(_ address: String) -> String {
        address.firstRange(of: "://").map { String(address[$0.upperBound...]) } ?? address
    }

    /// The host without `:8080`. The colons of an IPv6 address are followed by a bracket.
    private static func withoutPort(_ host: String) -> String {
        let bytes = host.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !bytes[colon...].contains(UInt8(ascii: "]")) else {
            return host
        }
        return String(host[..<colon])
    }
}

extension LoginReference: CustomStringConvertible {
    public var description: String { "@" + name + (server.map { "@" + $0 } ?? "") }
}

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
