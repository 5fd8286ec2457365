package import FeedCore
import Foundation

/// The address of this server as the client sees it: the configured one, or that of a valid Host header and the scheme
/// that ``ClientAddress`` has determined. It is never stored.
package struct BaseURL: Sendable {
    private let configured: String?
    private let fallback: String

    /// - Parameters:
    ///   - configured: `--base-url`, without a trailing slash.
    ///   - fallback: For requests without a Host header (HTTP/1.0).
    package init(configured: String?, fallback: String) {
        self.configured = configured
        self.fallback = fallback
    }

    /// - Returns: The address without a trailing slash.
    /// - Throws: ``FeedError`` `.malformed` for an invalid Host header.
    func text(for request: Request) throws(FeedError) -> String {
        if let configured { return configured }
        guard let host = request.host else { return fallback }
        guard Self.isValid(host) else { throw .malformed("The Host header is malformed") }
        return (request.isSecure ? "https://" : "http://") + host.lowercased()
    }

    /// Whether clients reach this server over TLS.
    func isSecure(for request: Request) throws(FeedError) -> Bool { try text(for: request).hasPrefix("https://") }

    /// The host of this server as the client sees it, with the port if it is part of the address.
    func host(for request: Request) throws(FeedError) -> String { Self.host(try text(for: request)) }

    /// The host of the configured address; `nil` without one.
    var configuredHost: String? { configured.map(Self.host) }

    /// The host of an address, with its port if there is one.
    static func host(_ base: String) -> String {
        base.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? base
    }

    /// Whether `host` is a host with an optional port: `name`, `name:port`, `1.2.3.4:port`, `[::1]:port`.
    static func isValid(_ host: String) -> Bool {
        guard host.utf8.count <= 255 else { return false }
        var host = host
        return host.withUTF8 { isValid($0[...]) }
    }

    private static func isValid(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = host
        if rest.first == UInt8(ascii: "[") {
            guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(decoding: rest[..<close].dropFirst(), as: UTF8.self), &address) == 1 else {
                return false
            }
            rest = rest[rest.index(after: close)...]
        } else {
            let name = rest.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty, name.allSatisfy(isNameByte) else { return false }
            rest = rest.dropFirst(name.count)
        }
        guard !rest.isEmpty else { return true }
        return rest.first == UInt8(ascii: ":") && (1...5).contains(rest.count - 1)
            && rest.dropFirst().allSatisfy { (48...57).contains($0) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 45, 46, 95: true
        default: false
        }
    }
}

extension BaseURL {
    /// Parses `--base-url`: a scheme, a host and an optional port. Anything else is an error: path prefixes are not
    /// supported, and other components would be lost or published.
    /// - Returns: The address in lowercase, without a trailing slash.
    /// - Throws: ``FeedError`` `.malformed` with a hint.
    package static func parse(_ text: String) throws(FeedError) -> String {
        let bytes = text.utf8
        guard let end = bytes.firstRange(of: "://".utf8),
            ["http", "https"].contains(text[..<end.lowerBound].lowercased())
        else {
            throw wrong("must begin with http:// or https://")
        }
        let authority = String(Substring(bytes[end.upperBound...].prefix { !"/?#\\".utf8.contains($0) }))
        let rest = bytes[end.upperBound...].dropFirst(authority.utf8.count)
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw wrong("must not contain a username or a password")
        }
        guard !rest.contains(UInt8(ascii: "?")) else { throw wrong("must not contain a query") }
        guard !rest.contains(UInt8(ascii: "#")) else { throw wrong("must not contain a fragment") }
        guard rest.isEmpty || rest.elementsEqual("/".utf8) else { throw wrong("must not contain a path") }
        guard isValid(authority), hasPort(authority) else { throw wrong("has no valid host or port") }
        return text[..<end.upperBound].lowercased() + authority.lowercased()
    }

    /// Whether the port, if any, is within 1...65535.
    private static func hasPort(_ authority: String) -> Bool {
        let bytes = authority.utf8
        let host = bytes.first == UInt8(ascii: "[") ? bytes.drop { $0 != UInt8(ascii: "]") } : bytes[...]
        guard let colon = host.firstIndex(of: UInt8(ascii: ":")) else { return true }
        return (1...65_535).contains(Int(Substring(host[host.index(after: colon)...])) ?? 0)
    }

    private static func wrong(_ what: String) -> FeedError {
        .malformed(
            "The address of this server \(what)",
            hint: "Specify only the scheme, host and port, such as https://feed.example or http://10.0.0.1:8080.")
    }
}
