import Foundation

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The 16 bytes of the IPv6 address. An IPv4 address is stored as an IPv4-mapped one (RFC 4291 §2.5.5.2).
    let bytes: [UInt8]

    /// Parses the textual form without a port. A zone (`%eth0`) is ignored.
    package init?(_ text: some StringProtocol) {
        let plain = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, plain, &four) == 1 {
            bytes = Self.mapped + withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, plain, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    var isIPv4: Bool { bytes.starts(with: Self.mapped) }

    /// Whether this is a loopback address: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        isIPv4 ? bytes[12] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    package var description: String {
        if isIPv4 { return bytes[12...].map(String.init).joined(separator: ".") }
        var (address, text) = (in6_addr(), [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN)))
        withUnsafeMutableBytes(of: &address) { $0.copyBytes(from: bytes) }
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A network of addresses in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3).
package struct IPNetwork: Sendable, Equatable {
    private let address: IPAddress
    /// The number of leading bits that all addresses of the network share, of 128.
    private let length: Int

    /// Parses an address with an optional prefix length, such as `10.0.0.0/8` or `::1`.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
            .map(Substring.init)
        guard let address = parts.first.flatMap({ IPAddress($0) }), !text.utf8.contains(UInt8(ascii: "%")) else {
            return nil
        }
        let isShort = address.isIPv4 && !text.utf8.contains(UInt8(ascii: ":"))
        self.address = address
        guard parts.count == 2 else {
            length = 128
            return
        }
        let digits = parts[1].utf8.allSatisfy { (48...57).contains($0) }
        guard digits, let prefix = Int(parts[1]), prefix <= (isShort ? 32 : 128) else { return nil }
        length = isShort ? prefix + 96 : prefix
    }

    package func contains(_ other: IPAddress) -> Bool {
        let (whole, rest) = (length / 8, length % 8)
        guard address.bytes[..<whole] == other.bytes[..<whole] else { return false }
        return rest == 0 || (address.bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
    }
}

/// The network to which a client address belongs, for rate limiting.
package enum ClientNetwork {
    /// The key under which requests from an address are counted.
    /// - Returns: The /64 network of an IPv6 address, because a client usually controls all addresses in it; the IPv4
    ///   address of an IPv4-mapped address (RFC 4291 §2.5.5.2); any other text unchanged.
    package static func key(for address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")), let parsed = IPAddress(address) else { return address }
        if parsed.isIPv4 { return parsed.description }
        let groups = stride(from: 0, to: 8, by: 2).map { Int(parsed.bytes[$0]) << 8 | Int(parsed.bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
}
