import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct RateTests {
    @Test func windowCountsDownAndResets() {
        var window = RateWindow(RateLimit(3, perSeconds: 10))
        let key = RateKey.account(1)
        let states = (0..<5).map { window.consume(key, now: 1_000_000 + $0) }
        #expect(states.map(\.remaining) == [2, 1, 0, 0, 0])
        #expect(states.map(\.isRefused) == [false, false, false, true, true])
        #expect(states.allSatisfy { $0.limit == 3 && $0.resetAt == 1_010_000 })
        #expect(window.consume(.account(2), now: 1_000_010).remaining == 2)
        #expect(window.consume(key, now: 1_009_999).isRefused)
        #expect(window.consume(key, now: 1_010_000).remaining == 2)
    }

    @Test func numberOfKeysIsBounded() {
        var window = RateWindow(RateLimit(1, perSeconds: 10))
        for index in 0..<100_000 { _ = window.consume(.account(Int64(index)), now: 0) }
        #expect(window.keys <= 20_000)
        #expect(window.consume(.account(99_999), now: 0).isRefused)
    }

    @Test func givenBackRequestIsNotCounted() {
        var window = RateWindow(RateLimit(2, perSeconds: 10))
        let key = RateKey.account(1)
        #expect(window.consume(key, now: 1000).remaining == 1)
        window.giveBack(key, now: 1000)
        // What has not been counted cannot be given back.
        window.giveBack(key, now: 1000)
        window.giveBack(.account(2), now: 1000)
        #expect(window.consume(key, now: 9999).remaining == 1)
        #expect(window.consume(.account(2), now: 9999).remaining == 1)
        // The window of the request has ended.
        window.giveBack(key, now: 10_000)
        #expect(window.consume(key, now: 9999).remaining == 0)
        #expect(window.consume(key, now: 9999).isRefused)
    }

    @Test(arguments: [
        ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", false), ("10.0.0.1", "10.0.0.2", false), ("::1", "::2", true),
        ("::ffff:10.0.0.1", "10.0.0.1", true),
    ])
    func ipv6NetworkIsOneKey(one: String, other: String, isSame: Bool) {
        #expect((RateKey(address: one) == RateKey(address: other)) == isSame)
    }
}

extension RateTests {
    @Test func changedLimitAppliesToTheCurrentWindow() {
        var limits = Limits()
        limits.requests = RateLimit(5, perSeconds: 300)
        let limiter = RateLimiter(limits: limits, clock: WallClock { 1_000_000 })
        let key = RateKey.account(1)
        #expect((0..<3).map { _ in limiter.consume(.request, key).state?.remaining } == [4, 3, 2])
        limits.requests.count = 4
        limiter.update(limits)
        #expect(limiter.consume(.request, key).state?.remaining == 0)
        #expect(limiter.consume(.request, key).state?.isRefused == true)
        limits.requests.count = 10
        limiter.update(limits)
        #expect(limiter.consume(.request, key).state?.isRefused == false)
    }
}
