import Foundation

/// The network to which a client address belongs, for rate limiting.
package enum ClientNetwork {
    /// The key under which requests from an address are counted.
    /// - Returns: The /64 network of an IPv6 address, because a client usually controls all addresses in it; the IPv4
    ///   address of an IPv4-mapped address (RFC 4291 §2.5.5.2); any other text unchanged.
    package static func of(_ address: String) -> String {
        let plain = String(address.prefix { $0 != "%" })
        var parsed = in6_addr()
        guard plain.contains(":"), inet_pton(AF_INET6, plain, &parsed) == 1 else { return address }
        let bytes = withUnsafeBytes(of: &parsed) { Array($0) }
        if bytes.starts(with: mapped) { return bytes[12...].map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
}
