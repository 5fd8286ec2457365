import FeedAPI

/// The trusted reverse proxies (`--trusted-proxy`), from whose headers the client of a request is determined.
package struct TrustedProxies: Sendable {
    /// The header in which the proxies name the client (`--proxy-header`).
    package enum Header: String, Sendable, CaseIterable {
        case xForwardedFor = "x-forwarded-for"
        /// RFC 7239.
        case forwarded
    }

    /// A proxy, or a network of proxies.
    package enum Source: Sendable, Equatable {
        case unixSocket
        case network(IPNetwork)

        /// Parses `unix` or a network in CIDR notation.
        package init?(_ text: String) {
            if text == "unix" {
                self = .unixSocket
            } else {
                guard let network = IPNetwork(text) else { return nil }
                self = .network(network)
            }
        }
    }

    /// The client of a request.
    package struct Client: Sendable, Equatable {
        /// The IP address, or `local` for an unnamed client of a Unix socket.
        package var address: String
        /// Whether the client uses TLS.
        package var isSecure: Bool
    }

    /// The maximum number of proxies in a row.
    private static let maximumHops = 32

    private let sources: [Source]
    package let header: Header

    package init(_ sources: [Source] = [], header: Header = .xForwardedFor) {
        self.sources = sources
        self.header = header
    }

    package var isEmpty: Bool { sources.isEmpty }

    /// Whether the server reads the headers of a peer.
    /// - Parameter peer: The IP address of the connection; `nil` for a Unix socket.
    package func isTrusted(_ peer: IPAddress?) -> Bool {
        sources.contains { source in
            switch source {
            case .unixSocket: peer == nil
            case .network(let network): peer.map(network.contains) ?? false
            }
        }
    }

    /// The client is the first untrusted address from the right. A malformed element ends the search, because it cannot
    /// come from a trusted proxy.
    /// - Parameters:
    ///   - peer: The IP address of the connection; `nil` for a Unix socket.
    ///   - lines: The values of the header, in the order of its lines.
    ///   - protocols: The values of `X-Forwarded-Proto`, which ``Header/forwarded`` does not need.
    package func client(peer: IPAddress?, lines: [String], protocols: [String]) -> Client {
        var client = Client(address: peer?.description ?? "local", isSecure: false)
        guard isTrusted(peer) else { return client }
        if header == .xForwardedFor { client.isSecure = Self.isSecure(protocols) }
        for element in ForwardedElement.parse(lines, as: header, limit: Self.maximumHops) {
            guard let address = element.address else { break }
            client.address = address.description
            if header == .forwarded { client.isSecure = element.isSecure }
            guard isTrusted(address) else { break }
        }
        return client
    }

    /// The last element comes from the nearest proxy.
    private static func isSecure(_ protocols: [String]) -> Bool {
        let last = protocols.last?.utf8.split(separator: UInt8(ascii: ",")).last
        return last.map { ForwardedElement.trim(Substring($0)).lowercased() } == "https"
    }
}

/// The report of one proxy about the request that it received.
private struct ForwardedElement: Equatable {
    private static let (comma, semicolon, quote, backslash) = (UInt8(44), UInt8(59), UInt8(34), UInt8(92))

    /// The address of the proxy's client; `nil` if it is malformed or hidden.
    var address: IPAddress?
    var isSecure = false

    /// Parses the elements of all lines of a header, starting with the nearest proxy's.
    ///
    /// Each line is parsed on its own, and as bytes, so that a client cannot hide elements that a proxy appends.
    /// - Parameter limit: The maximum number of elements.
    static func parse(_ lines: [String], as header: TrustedProxies.Header, limit: Int) -> [ForwardedElement] {
        var parsed: [ForwardedElement] = []
        for line in lines.reversed() {
            switch header {
            case .xForwardedFor:
                let elements = line.utf8.split(separator: comma, omittingEmptySubsequences: false)
                for element in elements.suffix(limit - parsed.count).reversed() {
                    parsed.append(ForwardedElement(address: node(trim(Substring(element)))))
                }
            case .forwarded:
                // An unterminated quoted string makes the whole line malformed, which ends the search.
                let elements = split(line[...], at: comma) ?? [""]
                for element in elements.suffix(limit - parsed.count).reversed() { parsed.append(forwarded(element)) }
            }
            if parsed.count == limit { break }
        }
        return parsed
    }

    /// An element of `Forwarded` (RFC 7239 §4), such as `for="[2001:db8::1]:80";proto=https`.
    private static func forwarded(_ text: Substring) -> ForwardedElement {
        var element = ForwardedElement()
        for pair in split(text, at: semicolon) ?? [] {
            let parts = pair.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1).map { trim(Substring($0)) }
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            case "for": element.address = node(unquote(parts[1]))
            case "proto": element.isSecure = unquote(parts[1]).lowercased() == "https"
            default: break
            }
        }
        return element
    }

    /// Parses an address with an optional port; an IPv6 address with a port is in brackets.
    private static func node(_ text: Substring) -> IPAddress? {
        let bytes = text.utf8
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), isPort(text[bytes.index(after: end)...]) else {
                return nil
            }
            return IPAddress(text[bytes.index(after: text.startIndex)..<end])
        }
        guard bytes.contains(UInt8(ascii: ".")), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            isPort(text[colon...])
        else { return IPAddress(text) }
        return IPAddress(text[..<colon])
    }

    /// Whether `text` is empty or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.utf8.first == UInt8(ascii: ":") && (2...6).contains(text.utf8.count)
                && text.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    }

    /// Splits at a separator outside quoted strings.
    /// - Returns: `nil` if a quoted string is not terminated.
    private static func split(_ text: Substring, at separator: UInt8) -> [Substring]? {
        var (parts, start, isQuoted, isEscaped) = ([Substring](), text.startIndex, false, false)
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            }
            if byte == quote, !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == backslash && !isEscaped
        }
        return isQuoted ? nil : parts + [text[start...]]
    }

    /// Removes spaces and tabs at both ends.
    static func trim(_ text: Substring) -> Substring {
        let start = text.utf8.firstIndex { !$0.isBlank } ?? text.endIndex
        let end = text.utf8.lastIndex { !$0.isBlank }.map(text.utf8.index(after:)) ?? start
        return text[start..<end]
    }

    private static func unquote(_ text: Substring) -> Substring {
        guard text.utf8.count >= 2, text.utf8.first == quote, text.utf8.last == quote else { return text }
        return Substring(decoding: text.utf8.dropFirst().dropLast().filter { $0 != backslash }, as: UTF8.self)
    }
}
