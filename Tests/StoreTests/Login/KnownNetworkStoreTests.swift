import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The stored networks of successful logins.
@Suite(.hangLimit)
struct KnownNetworkStoreTests {
    private static let day: Int64 = 86_400_000
    private static let start: Int64 = 1_700_000_000_000

    private static func attempt(_ account: Account, _ address: String) -> LoginAttempt {
        LoginAttempt(address: address, account: "id \(account.id)", accountID: account.id)
    }

    private static func networks(_ store: TestStore) async throws -> [String] {
        try await store.database.read { db in
            try db.fetchAll("SELECT network FROM known_network ORDER BY login_at, network", as: String.self)
        }
    }

    /// 100 failures from 100 networks lock out strangers, but not a network with a recent login, nor another account's.
    @Test func accountLimitSparesNetworksWithALogin() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let failures = LoginFailureStore(store.database)
        try await failures.retract(Self.attempt(ada, "home"), hasSucceeded: true, now: Self.start)
        try await failures.retract(Self.attempt(bob, "office"), hasSucceeded: true, now: Self.start)
        func stop(_ address: String, after time: Int64) async throws -> Bool {
            for index in 0..<100 {
                _ = try await failures.begin(Self.attempt(ada, "stranger\(index)"), now: Self.start + time)
            }
            return try await failures.begin(Self.attempt(ada, address), now: Self.start + time) != nil
        }
        #expect(try await stop("new", after: 0))
        #expect(try await stop("office", after: 1000))
        #expect(try await !stop("home", after: 2000))
        #expect(try await !stop("home", after: 30 * Self.day - 1))
        #expect(try await stop("home", after: 30 * Self.day + LoginThrottle.window))
    }

    /// The limits per pair still hold for a known network.
    @Test func guessesFromAKnownNetworkAreLimited() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let failures = LoginFailureStore(store.database)
        let attempt = Self.attempt(ada, "home")
        try await failures.retract(attempt, hasSucceeded: true, now: Self.start)
        for _ in 0..<10 { #expect(try await failures.begin(attempt, now: Self.start) == nil) }
        #expect(try await failures.begin(attempt, now: Self.start) == 300)
    }

    @Test func onlyTheNewestNetworksAreKept() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let failures = LoginFailureStore(store.database)
        try await failures.retract(Self.attempt(bob, "bob's"), hasSucceeded: true, now: Self.start)
        for index in 0..<40 {
            try await failures.retract(
                Self.attempt(ada, "n\(index + 10)"), hasSucceeded: true, now: Self.start + Int64(index) + 1)
        }
        #expect(try await Self.networks(store) == ["bob's"] + (18..<50).map { "n\($0)" })
    }

    /// A login is recorded once a day, and forgotten after thirty.
    @Test func recordsAreRenewedAndPruned() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let failures = LoginFailureStore(store.database)
        func recorded(after time: Int64) async throws -> Int64? {
            try await failures.retract(Self.attempt(ada, "home"), hasSucceeded: true, now: Self.start + time)
            return try await store.database.read { try $0.networkLogin(of: Self.attempt(ada, "home")) }
        }
        #expect(try await recorded(after: 0) == Self.start)
        #expect(try await recorded(after: Self.day - 1) == Self.start)
        #expect(try await recorded(after: Self.day) == Self.start + Self.day)
        try await failures.prune(now: Self.start + 31 * Self.day - 1)
        #expect(try await Self.networks(store) == ["home"])
        try await failures.prune(now: Self.start + 31 * Self.day)
        #expect(try await Self.networks(store).isEmpty)
    }

    /// Failed logins and unknown names leave no trace.
    @Test func failuresAreNotRecorded() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let failures = LoginFailureStore(store.database)
        try await failures.retract(Self.attempt(ada, "home"), hasSucceeded: false, now: Self.start)
        try await failures.retract(
            LoginAttempt(address: "home", account: "name eve"), hasSucceeded: true, now: Self.start)
        #expect(try await Self.networks(store).isEmpty)
    }
}
