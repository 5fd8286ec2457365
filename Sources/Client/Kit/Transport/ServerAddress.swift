import Foundation

/// Where a server is: scheme, host and port, perhaps a path in front of everything.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Without a trailing slash.
    public let description: String

    /// Reads what people type: a bare host gets `https`, or `http` when it is this machine. Scheme and host have no letter
    /// case (RFC 3986 §6.2.2.1).
    /// - Throws: ``FeedClientError`` `.usage` when it is no address of a server.
    public init(_ text: String) throws(FeedClientError) {
        let full = Self.normalised(
            text.contains("://") ? text : (Self.isLocal(text.lowercased()) ? "http://" : "https://") + text)
        guard let url = URL(string: full), url.scheme == "http" || url.scheme == "https", let host = url.host(),
            !host.isEmpty, url.hasValidPort, url.user() == nil, url.query() == nil, url.fragment() == nil
        else {
            throw FeedClientError(
                .usage, "\"\(text)\" is no server address", hint: "Write one such as https://feed.example.")
        }
        var trimmed = full
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        description = trimmed
    }

    /// Whether a URL leads to this server: same scheme, host and port.
    public func isOrigin(of url: String) -> Bool { Self.origin(url) == Self.origin(description) }

    /// `scheme://host:port` in lower case with the default port written out; `nil` for what is no web address.
    static func origin(_ url: String) -> String? {
        guard let url = URL(string: url), let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(),
            url.hasValidPort
        else {
            return nil
        }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    /// Everything before the path in lower case.
    private static func normalised(_ address: String) -> String {
        guard let authority = address.range(of: "://")?.upperBound else { return address }
        let path = address[authority...].firstIndex(of: "/") ?? address.endIndex
        return address[..<path].lowercased() + address[path...]
    }

    private static func isLocal(_ text: String) -> Bool {
        ["localhost", "127.", "[::1]"].contains { text.hasPrefix($0) }
    }
}

extension URL {
    /// Whether the port, if there is one, is between 1 and 65535. Ask before a request: SwiftNIO traps on another one
    /// beside an IP address.
    var hasValidPort: Bool {
        if let port { return (1...65_535).contains(port) }
        // Digits that no `Int` can hold are no port to Foundation.
        return URLComponents(url: self, resolvingAgainstBaseURL: true)?.rangeOfPort?.isEmpty ?? true
    }
}
