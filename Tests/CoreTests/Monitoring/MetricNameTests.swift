import FeedCore
import Testing

@Suite struct EventRateTests {
    @Test func averageCoversTheLastMinute() {
        var requests = EventRate(now: 0)
        #expect(requests.rate(0, now: 0) == 0)
        #expect(requests.rate(50, now: 10_000) == 5)
        // 100 requests per second for a minute, then none.
        for second in stride(from: Int64(5), through: 60, by: 5) { requests.add(second * 100, now: second * 1000) }
        #expect(requests.rate(6000, now: 60_000) == 100)
        for second in stride(from: Int64(65), through: 180, by: 5) { requests.add(6000, now: second * 1000) }
        #expect(requests.rate(6000, now: 180_000) == 0)
        #expect(requests.rate(6060, now: 180_000) == 1)
    }

    @Test func samplesAreBoundedAndNothingTraps() {
        var requests = EventRate(now: 0)
        for time in 0..<10_000 { requests.add(Int64(time), now: Int64(time)) }
        #expect(requests.rate(9_999, now: 9_999) > 0)
        #expect(requests.rate(0, now: 20_000) == 0)
        #expect(requests.rate(5, now: -1) == 0)
    }

    @Test(arguments: [
        (Duration.milliseconds(1), Int64(1_000_000)), (.nanoseconds(7), 7), (.zero, 0), (.seconds(Int64.max), .max),
        (.seconds(3600), 3_600_000_000_000),
    ])
    func durationsAreNanoseconds(duration: Duration, nanoseconds: Int64) {
        #expect(duration.nanoseconds == nanoseconds)
    }
}

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
