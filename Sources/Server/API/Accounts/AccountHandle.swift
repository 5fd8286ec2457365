/// A reference to an account as people write it: `name`, `@name`, `name@domain` or `@name@domain`.
public struct AccountHandle: Hashable, Sendable {
    /// The username as written.
    public let name: String
    /// The domain in lowercase, with the port if there is one; `nil` if omitted.
    public let domain: String?

    private init(name: Substring, domain: Substring?) {
        self.name = String(name)
        self.domain = domain?.lowercased()
    }

    /// Parses a text that consists of a handle. The name may contain dots and dashes, as on other servers.
    /// - Returns: `nil` for any other text.
    public init?(_ text: String) {
        let scalars = text.unicodeScalars
        let rest = scalars.first == "@" ? scalars.dropFirst() : scalars[...]
        guard let (handle, end) = Self.parse(rest, isNameScalar: { Self.isWord($0) || $0 == "." || $0 == "-" }),
            end == text.endIndex
        else { return nil }
        self = handle
    }

    /// The handle in the form of the API: without `@` at its beginning.
    public var acct: String { domain.map { name + "@" + $0 } ?? name }

    /// Whether the account belongs to a server.
    /// - Parameter host: The host of the server, with the port if it is part of its address.
    public func isLocal(to host: String) -> Bool { domain == nil || domain == host.lowercased() }

    /// The handle that a text begins with: `@name` with ASCII letters, digits and underscores, and `@domain` if it
    /// follows. What ends a sentence is not part of the domain.
    /// - Returns: `nil` if the text does not begin with a handle.
    public static func prefix(
        of text: Substring.UnicodeScalarView
    ) -> (handle: AccountHandle, end: String.Index)? {
        guard text.first == "@" else { return nil }
        return parse(text.dropFirst(), isNameScalar: isWord)
    }
}

extension AccountHandle {
    /// Parses `name` or `name@domain`.
    private static func parse(
        _ text: Substring.UnicodeScalarView, isNameScalar: (Unicode.Scalar) -> Bool
    ) -> (handle: AccountHandle, end: String.Index)? {
        let name = text.prefix(while: isNameScalar)
        guard let first = name.first, isWord(first), let last = name.last, isWord(last) else { return nil }
        let rest = text[name.endIndex...]
        guard rest.first == "@" else { return (AccountHandle(name: Substring(name), domain: nil), name.endIndex) }
        let domain = domain(in: rest.dropFirst())
        guard !domain.isEmpty else { return nil }
        return (AccountHandle(name: Substring(name), domain: Substring(domain)), domain.endIndex)
    }

    /// The host and the port that a text begins with; empty if it does not begin with a host.
    private static func domain(in text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        let host = host(in: text)
        guard !host.isEmpty, host.endIndex < text.endIndex, text[host.endIndex] == ":" else { return host }
        let port = text[text.index(after: host.endIndex)...].prefix { ("0"..."9").contains($0) }
        return port.isEmpty ? host : text[..<port.endIndex]
    }

    private static func host(in text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        if text.first == "[" {
            let address = text.dropFirst().prefix { $0.properties.isASCIIHexDigit || $0 == ":" || $0 == "." }
            guard address.endIndex < text.endIndex, text[address.endIndex] == "]" else { return text.prefix(0) }
            return text[...address.endIndex]
        }
        var host = text.prefix { isDomainScalar($0) || $0 == "." || $0 == "-" }
        while let last = host.last, !isDomainScalar(last) { host = host.dropLast() }
        return host.first.map(isDomainScalar) == true ? host : text.prefix(0)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    /// Whether a scalar can begin and end a part of a domain, in any script.
    private static func isDomainScalar(_ scalar: Unicode.Scalar) -> Bool {
        isWord(scalar) || !scalar.isASCII && scalar.properties.isAlphabetic
    }
}
