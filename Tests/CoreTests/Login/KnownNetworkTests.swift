import FeedCore
import TestKit
import Testing

/// The networks that the limit of an account does not lock out.
@Suite(.hangLimit)
struct KnownNetworkTests {
    private static let day: Int64 = 86_400_000

    @Test(arguments: [(0, true), (29, true), (30, false), (31, false), (-1, true)])
    func networkIsKnownForThirtyDays(days: Int64, isKnown: Bool) {
        let login: Int64 = 1_700_000_000_000
        #expect(KnownNetworks.isKnown(login, now: login + days * Self.day) == isKnown)
        #expect(!KnownNetworks.isKnown(nil, now: login))
    }

    @Test(
        arguments: [(nil, true), (0, false), (Self.day - 1, false), (Self.day, true), (-1, true)] as [(Int64?, Bool)])
    func loginIsRecordedOnceADay(age: Int64?, isDue: Bool) {
        let now: Int64 = 1_700_000_000_000
        #expect(KnownNetworks.isDue(age.map { now - $0 }, now: now) == isDue)
    }

    /// All limits, each exceeded alone, for a known and an unknown network.
    @Test(arguments: [(0, 10, true, true), (1, 40, true, true), (2, 100, true, false), (2, 99, false, false)])
    func accountLimitIsForStrangers(key: Int, failures: Int, stopsStrangers: Bool, stopsOwner: Bool) {
        let attempt = LoginAttempt(address: "a", account: "id 7", accountID: 7)
        let counted = [attempt.keys[key]: LoginThrottle.Failures(count: failures, since: 1000)]
        #expect((LoginThrottle(attempt, failures: counted).wait(now: 2000) != nil) == stopsStrangers)
        #expect((LoginThrottle(attempt, failures: counted, isKnown: true).wait(now: 2000) != nil) == stopsOwner)
    }

    /// Stored numbers of any size, and clocks that differ between servers.
    @Test(arguments: [
        (Int64.min, Int.max, false), (Int64.max, Int.max, false), (1_000_000_000, Int.min, false),
        (1_000_000_000, Int.max, true), (1_000_060_000, 10, true), (1_000_300_001, 10, false),
        (999_700_000, 10, false), (999_700_001, 10, true),
    ])
    func windowsOfOtherClocks(since: Int64, count: Int, isRefused: Bool) {
        let attempt = LoginAttempt(address: "a", account: "id 7", accountID: 7)
        let failures = [attempt.keys[0]: LoginThrottle.Failures(count: count, since: since)]
        var throttle = LoginThrottle(attempt, failures: failures)
        let seconds = throttle.begin(now: 1_000_000_000)
        #expect((seconds != nil) == isRefused)
        #expect((0...600).contains(seconds ?? 0))
        throttle.retract(hasSucceeded: false)
        #expect(!KnownNetworks.isKnown(.min, now: 0) && KnownNetworks.isKnown(.max, now: 0))
        #expect(KnownNetworks.isDue(.min, now: 0) && KnownNetworks.isDue(.max, now: 0))
    }
}
