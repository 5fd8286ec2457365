import FeedCore
import FeedWeb
import Testing

/// Access to `/metrics`.
@Suite struct MetricsAccessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var peer: String?
        var isForwarded = false
        var allowed: [String] = []
        var isAllowed: Bool

        var testDescription: String { "\(peer ?? "unix")\(isForwarded ? " forwarded" : "") \(allowed)" }
    }

    static let rows = [
        Row(peer: "127.0.0.1", isAllowed: true), Row(peer: "127.8.7.6", isAllowed: true),
        Row(peer: "::1", isAllowed: true), Row(peer: "::ffff:127.0.0.1", isAllowed: true),
        Row(peer: "::2", isAllowed: false), Row(peer: "::", isAllowed: false), Row(peer: "1::1", isAllowed: false),
        Row(peer: "128.0.0.1", isAllowed: false), Row(peer: "10.0.0.1", isAllowed: false),
        Row(peer: "203.0.113.7", isAllowed: false), Row(peer: nil, isAllowed: false),
        Row(peer: "10.0.0.1", allowed: ["10.0.0.0/8"], isAllowed: true),
        Row(peer: "11.0.0.1", allowed: ["10.0.0.0/8"], isAllowed: false),
        Row(peer: "127.0.0.1", allowed: ["10.0.0.0/8"], isAllowed: true),
        Row(peer: "fd00::7", allowed: ["10.0.0.0/8", "fd00::/8"], isAllowed: true),
        Row(peer: nil, allowed: ["0.0.0.0/0", "::/0"], isAllowed: false),
        Row(peer: nil, allowed: ["unix"], isAllowed: true),
        // Through a proxy, always refused.
        Row(peer: "127.0.0.1", isForwarded: true, isAllowed: false),
        Row(peer: "10.0.0.1", isForwarded: true, allowed: ["10.0.0.0/8"], isAllowed: false),
        Row(peer: nil, isForwarded: true, allowed: ["unix"], isAllowed: false),
    ]

    @Test(arguments: rows) func accessFollowsTheConnection(row: Row) throws {
        let access = MetricsAccess(try row.allowed.map { try #require(TrustedProxies.Source($0)) })
        let peer = try row.peer.map { try #require(IPAddress($0)) }
        #expect(access.allows(peer: peer, isForwarded: row.isForwarded) == row.isAllowed)
    }
}
