import FeedCore
import Testing

struct StreamLimiterTests {
    private static let limits: StreamLimits = {
        var limits = StreamLimits()
        (limits.perAccount, limits.perAddress) = (2, 3)
        return limits
    }()

    private static func owner(_ account: Int64?, _ address: String) -> StreamLimiter.Owner {
        StreamLimiter.Owner(account: account, address: address)
    }

    @Test func accountsAreLimitedWhateverTheirAddresses() throws {
        var limiter = StreamLimiter()
        try limiter.open(Self.owner(1, "127.0.0.1"), Self.limits)
        try limiter.open(Self.owner(1, "127.0.0.2"), Self.limits)
        let error = #expect(throws: FeedError.self) { try limiter.open(Self.owner(1, "127.0.0.3"), Self.limits) }
        #expect(error?.kind == .rateLimited && error?.retryAfter != nil)
        try limiter.open(Self.owner(2, "127.0.0.3"), Self.limits)
        #expect(limiter.count == 3)
        limiter.close(Self.owner(1, "127.0.0.2"))
        try limiter.open(Self.owner(1, "127.0.0.3"), Self.limits)
    }

    @Test func addressesAreLimitedWhateverTheirAccounts() throws {
        var limiter = StreamLimiter()
        for account in [nil, 1, 2] as [Int64?] { try limiter.open(Self.owner(account, "10.0.0.1"), Self.limits) }
        #expect(throws: FeedError.self) { try limiter.open(Self.owner(3, "10.0.0.1"), Self.limits) }
        try limiter.open(Self.owner(3, "10.0.0.2"), Self.limits)
        limiter.close(Self.owner(nil, "10.0.0.1"))
        try limiter.open(Self.owner(3, "10.0.0.1"), Self.limits)
    }

    /// A client usually controls all addresses of a /64.
    @Test func networksOfIPv6AreAddresses() throws {
        var limiter = StreamLimiter()
        for last in 1...3 { try limiter.open(Self.owner(nil, "2001:db8::\(last)"), Self.limits) }
        #expect(throws: FeedError.self) { try limiter.open(Self.owner(nil, "2001:db8::4"), Self.limits) }
    }

    @Test func refusedStreamsAreNotCounted() throws {
        var limiter = StreamLimiter()
        for _ in 0..<2 { try limiter.open(Self.owner(1, "10.0.0.1"), Self.limits) }
        for _ in 0..<5 { #expect(throws: FeedError.self) { try limiter.open(Self.owner(1, "10.0.0.2"), Self.limits) } }
        for _ in 0..<2 { limiter.close(Self.owner(1, "10.0.0.1")) }
        #expect(limiter.count == 0)
        for _ in 0..<2 { try limiter.open(Self.owner(1, "10.0.0.2"), Self.limits) }
    }
}
