import Foundation

/// The address of a server: scheme, host, port, and optionally a path that all requests start with.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The URL without a trailing slash.
    public let description: String

    /// Parses an address as entered by a user: a bare host is completed with `https`, or with `http` if it is this
    /// machine. Scheme and host are case-insensitive (RFC 3986 §6.2.2.1).
    /// - Throws: ``FeedClientError`` `.usage` if the text is not the address of a server.
    public init(_ text: String) throws(FeedClientError) {
        let full = Self.lowercasingHost(
            text.contains("://") ? text : (Self.isLocal(text.lowercased()) ? "http://" : "https://") + text)
        guard let url = URL(string: full), url.scheme == "http" || url.scheme == "https", let host = url.host(),
            !host.isEmpty, url.hasValidPort, url.user() == nil, url.query() == nil, url.fragment() == nil
        else {
            throw FeedClientError(
                .usage, "\"\(text)\" is not a server address", hint: "Enter an address such as https://feed.example.")
        }
        var trimmed = full
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        description = trimmed
    }

    /// The host, with the port if the address contains it.
    public var authority: String {
        let start = description.utf8.firstRange(of: "://".utf8)?.upperBound ?? description.startIndex
        return String(Substring(description.utf8[start...].prefix { $0 != UInt8(ascii: "/") }))
    }

    /// Whether a URL has the scheme, host and port of this server.
    public func isOrigin(of url: String) -> Bool { Self.origin(url) == Self.origin(description) }

    /// The origin of a URL (RFC 6454), in lowercase and always with a port; `nil` if the URL has no origin.
    static func origin(_ url: String) -> String? {
        guard let url = URL(string: url), let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(),
            url.hasValidPort
        else { return nil }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    private static func lowercasingHost(_ address: String) -> String {
        guard let authority = address.utf8.firstRange(of: "://".utf8)?.upperBound else { return address }
        let path = address.utf8[authority...].firstIndex(of: UInt8(ascii: "/")) ?? address.endIndex
        return address[..<path].lowercased() + address[path...]
    }

    /// Whether the server is this machine.
    var isLocal: Bool { Self.isLocal(authority) }

    private static func isLocal(_ text: String) -> Bool {
        ["localhost", "127.", "[::1]"].contains { text.hasPrefix($0) }
    }
}

extension URL {
    /// Whether the port, if any, is between 1 and 65535. Check this before a request: SwiftNIO traps on any other port
    /// that follows an IP address.
    var hasValidPort: Bool {
        if let port { return (1...65_535).contains(port) }
        // Foundation ignores a port that exceeds `Int`.
        return URLComponents(url: self, resolvingAgainstBaseURL: true)?.rangeOfPort?.isEmpty ?? true
    }
}
