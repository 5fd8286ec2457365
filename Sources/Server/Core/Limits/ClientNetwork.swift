import Foundation

/// Who an address is counted as.
package enum ClientNetwork {
    /// - Returns: An IPv4 address as it is, also one mapped into IPv6 (RFC 4291 §2.5.5.2); of an IPv6 address the network of 64
    ///   bits, since whoever has one address there has them all; anything else as it is.
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
