import FeedCore
import TestKit
import Testing

/// The limit of an account does not lock its owner out.
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

    @Test func ownerLogsInWhileManyNetworksGuess() async throws {
        let clock = LoginTests.Clock()
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: CountingHashing(),
            clock: clock.clock)
        func attempt(_ password: String, from address: String) async throws -> Bool {
            do {
                return try await login.check(username: "ada", password: password, address: address).id == 7
            } catch let error as FeedError where error.kind == .rateLimited { return false }
        }
        #expect(try await attempt("right", from: "home"))
        // The password is no longer remembered in memory.
        clock.advance(600_000)
        for index in 0..<100 { _ = try? await attempt("wrong", from: "stranger\(index)") }
        #expect(try await !attempt("right", from: "elsewhere"))
        #expect(try await attempt("right", from: "home"))
        clock.advance(31 * Self.day)
        for index in 0..<100 { _ = try? await attempt("wrong", from: "stranger\(index)") }
        #expect(try await !attempt("right", from: "home"))
    }

    /// The right password is accepted even if the store cannot record it.
    @Test func failureToRecordIsNotARefusal() async throws {
        struct Failing: LoginFailureStoring {
            func begin(_ attempt: LoginAttempt, now: Int64) async throws -> Int? { nil }
            func retract(_ attempt: LoginAttempt, hasSucceeded: Bool, now: Int64) async throws {
                throw FeedError(.diskFull, "The disk is full")
            }
            func prune(now: Int64) async throws {}
        }
        let login = Login(
            accounts: MemoryAccounts(), failures: Failing(), hashing: CountingHashing(),
            clock: LoginTests.Clock().clock)
        #expect(try await login.check(username: "ada", password: "right", address: "home").id == 7)
    }
}
