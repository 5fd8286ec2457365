/// Selects a login of this machine, as a user enters it: `@name`, or `@name@server` if the name is not unique.
public struct CredentialSelection: Sendable, Equatable {
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

extension CredentialSelection: CustomStringConvertible {
    public var description: String { "@" + name + (server.map { "@" + $0 } ?? "") }
}
