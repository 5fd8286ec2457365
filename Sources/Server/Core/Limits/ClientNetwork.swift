/// The network to which a client address belongs, for rate limiting.
package enum ClientNetwork {
    /// The key under which requests from an address are counted.
    /// - Returns: The /64 network of an IPv6 address, because a client usually controls all addresses in it; the IPv4
    ///   address of an IPv4-mapped address (RFC 4291 §2.5.5.2); any other text unchanged.
    package static func of(_ address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")), let parsed = IPAddress(address) else { return address }
        if parsed.isIPv4 { return parsed.description }
        let groups = stride(from: 0, to: 8, by: 2).map { Int(parsed.bytes[$0]) << 8 | Int(parsed.bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
}
