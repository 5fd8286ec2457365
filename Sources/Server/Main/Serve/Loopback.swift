import Foundation

/// Recognizes loopback hosts.
enum Loopback {
    /// Whether `host` is `localhost`, `::1` or in 127.0.0.0/8.
    static func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }
}
