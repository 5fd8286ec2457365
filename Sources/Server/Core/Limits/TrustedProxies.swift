/// The trusted reverse proxies (`--trusted-proxy`), from whose headers the client of a request is determined. Pure.
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
        case block(AddressBlock)

        /// Parses `unix` or a block in CIDR notation.
        package init?(_ text: String) {
            if text == "unix" {
                self = .unixSocket
            } else {
                guard let block = AddressBlock(text) else { return nil }
                self = .block(block)
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
            case .block(let block): peer.map(block.contains) ?? false
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
