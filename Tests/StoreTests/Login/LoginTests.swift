import FeedCore
import FeedStore
import Synchronization
import TestKit
import Testing

@Suite(.hangLimit)
struct LoginTests {
    /// A clock that the test sets.
    final class Clock: Sendable {
        let time = Mutex<Int64>(1_000_000)
        var clock: WallClock { WallClock { self.time.withLock { $0 } } }

        func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    @Test func throttleDelaysAndExpires() async {
        let failures = MemoryLoginFailures()
        let attempt = LoginAttempt(address: "a", account: "ada")
        for _ in 0..<10 { #expect(await failures.begin(attempt, now: 0) == nil) }
        #expect(await failures.begin(attempt, now: 1000) == 299)
        #expect(await failures.begin(LoginAttempt(address: "b", account: "ada"), now: 1000) == nil)
        #expect(await failures.begin(LoginAttempt(address: "a", account: "bob"), now: 1000) == nil)
        #expect(await failures.begin(attempt, now: 300_000) == nil)
    }

    @Test func addressesAndAccountsAreThrottledAsWell() async {
        let failures = MemoryLoginFailures()
        for index in 0..<40 { _ = await failures.begin(LoginAttempt(address: "a", account: "user\(index)"), now: 0) }
        #expect(await failures.begin(LoginAttempt(address: "a", account: "fresh"), now: 0) != nil)
        for index in 0..<100 { _ = await failures.begin(LoginAttempt(address: "a\(index)", account: "ada"), now: 0) }
        #expect(await failures.begin(LoginAttempt(address: "new", account: "ada"), now: 0) != nil)
    }

    @Test func aSuccessClearsThePairOnly() async {
        let failures = MemoryLoginFailures()
        for index in 0..<9 { _ = await failures.begin(LoginAttempt(address: "a", account: "user\(index)"), now: 0) }
        let attempt = LoginAttempt(address: "a", account: "ada")
        for _ in 0..<9 { _ = await failures.begin(attempt, now: 0) }
        await failures.retract(attempt, hasSucceeded: true, now: 0)
        #expect(failures.count(attempt.keys[0]) == nil)
        #expect(failures.count(attempt.keys[1]) == 17 && failures.count(attempt.keys[2]) == 8)
        await failures.retract(attempt, hasSucceeded: false, now: 0)
        #expect(failures.count(attempt.keys[1]) == 16)
    }

    @Test func successIsCachedUntilThePasswordChanges() async throws {
        let accounts = MemoryAccounts()
        let hashing = CountingHashing()
        let clock = Clock()
        let login = Login(accounts: accounts, failures: MemoryLoginFailures(), hashing: hashing, clock: clock.clock)
        #expect(try await login.check(username: "Ada", password: "right", address: "x").id == 7)
        #expect(try await login.check(username: "ada", password: "right", address: "x").id == 7)
        #expect(hashing.count == 1)
        clock.advance(300_001)
        _ = try await login.check(username: "ada", password: "right", address: "x")
        #expect(hashing.count == 2)
        await login.invalidate(7)
        _ = try await login.check(username: "ada", password: "right", address: "x")
        #expect(hashing.count == 3)
    }

    @Test func unknownNamesTakeAsLongAsWrongPasswords() async throws {
        let hashing = CountingHashing()
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: hashing, clock: Clock().clock)
        await #expect(throws: FeedError.self) { try await login.check(username: "nobody", password: "x", address: "x") }
        await #expect(throws: FeedError.self) { try await login.check(username: "ada", password: "x", address: "x") }
        await #expect(throws: FeedError.self) { try await login.check(username: "x@y", password: "x", address: "x") }
        await #expect(throws: FeedError.self) { try await login.check(username: "a@b", password: "x", address: "x") }
        #expect(hashing.count == 4)
        #expect(try await login.check(username: "A@B", password: "right", address: "x").id == 7)
    }

    /// The log names the reason, which the client must not learn.
    @Test func failuresAreReportedWithTheirReason() async throws {
        let reports = Mutex<[LoginFailure]>([])
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: CountingHashing(),
            clock: Clock().clock, report: { failure in reports.withLock { $0.append(failure) } })
        _ = try await login.check(username: "ada", password: "right", address: "2001:db8::1")
        #expect(reports.withLock { $0.isEmpty })
        var messages: Set<String> = []
        let long = String(repeating: "x", count: 2000)
        for (name, password) in [("nobody", "x"), ("Ada", "wrong"), (long, "x"), ("ada", long)] {
            do {
                _ = try await login.check(username: name, password: password, address: "2001:db8::1")
            } catch let error as FeedError {
                messages.insert("\(error.kind) \(error.message) \(error.hint ?? "")")
            }
        }
        for _ in 0..<20 { _ = try? await login.check(username: "ada", password: "wrong", address: "2001:db8::1") }
        let found = reports.withLock { $0 }
        #expect(found.prefix(4).map(\.reason) == [.unknownName, .wrongPassword, .tooLong, .tooLong])
        #expect(found.prefix(2).map(\.name) == ["nobody", "Ada"] && found.allSatisfy { $0.address == "2001:db8::1" })
        #expect(found.last?.reason == .throttled && found.count == 24)
        #expect(messages.count == 1, "\(messages)")
    }

    /// The log distinguishes wrong passwords from logins that could not be checked.
    @Test func loginThatCouldNotBeCheckedIsNotARefusal() async throws {
        struct Overloaded: PasswordHasher {
            func hash(_ password: String) async throws -> String { "" }
            func verify(_ password: String, against stored: String) async throws -> Bool {
                throw FeedError(.unavailable, "Too many logins at once")
            }
        }
        let reasons = Mutex<[LoginFailure.Reason]>([])
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: Overloaded(), clock: Clock().clock,
            report: { failure in reasons.withLock { $0.append(failure.reason) } })
        _ = try? await login.check(username: "ada", password: "right", address: "x")
        #expect(reasons.withLock { $0 } == [.unavailable])
        #expect(LoginFailure.Reason.allCases.filter { !$0.isRefusal } == [.unavailable])
    }

    /// Each attempt costs a hash.
    @Test(arguments: [false, true]) func rightPasswordOfASuspendedAccountIsThrottled(isPending: Bool) async throws {
        let hashing = CountingHashing()
        let login = Login(
            accounts: MemoryAccounts(suspendedAt: 1, isPending: isPending), failures: MemoryLoginFailures(),
            hashing: hashing, clock: Clock().clock)
        func failure() async -> FeedError? {
            do { _ = try await login.check(username: "ada", password: "right", address: "x") } catch {
                return error as? FeedError
            }
            return nil
        }
        for _ in 0..<10 { #expect(await failure()?.message == (isPending ? FeedError.pending : .suspended).message) }
        #expect(await failure()?.kind == .rateLimited && hashing.count == 10)
    }

    /// Concurrent guesses are counted before the first response.
    @Test func concurrentGuessesAreCounted() async throws {
        let hashing = CountingHashing()
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: hashing, clock: Clock().clock)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<60 {
                group.addTask { _ = try? await login.check(username: "ada", password: "wrong", address: "x") }
            }
        }
        #expect(hashing.count <= 10)
    }

    /// While guesses are throttled, the right password reveals nothing to an address that has not logged in itself.
    @Test func cachedPasswordIsNotAnOracle() async throws {
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: CountingHashing(),
            clock: Clock().clock)
        _ = try await login.check(username: "ada", password: "right", address: "home")
        for _ in 0..<10 { _ = try? await login.check(username: "ada", password: "wrong", address: "elsewhere") }
        await #expect { try await login.check(username: "ada", password: "right", address: "elsewhere") } throws: {
            ($0 as? FeedError)?.kind == .rateLimited
        }
    }

    @Test func rightPasswordStillWorksWhileOthersGuess() async throws {
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: CountingHashing(),
            clock: Clock().clock)
        _ = try await login.check(username: "ada", password: "right", address: "home")
        for _ in 0..<10 { _ = try? await login.check(username: "ada", password: "wrong", address: "home") }
        await #expect { try await login.check(username: "ada", password: "wrong", address: "home") } throws: {
            ($0 as? FeedError)?.kind == .rateLimited && ($0 as? FeedError)?.retryAfter == 300
        }
        #expect(try await login.check(username: "ada", password: "right", address: "home").id == 7)
    }

    /// Otherwise another client behind the same address could guess forever.
    @Test func manyGuessesDisableTheCache() async throws {
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: CountingHashing(),
            clock: Clock().clock)
        _ = try await login.check(username: "ada", password: "right", address: "home")
        for _ in 0..<60 { _ = try? await login.check(username: "ada", password: "wrong", address: "home") }
        await #expect { try await login.check(username: "ada", password: "right", address: "home") } throws: {
            ($0 as? FeedError)?.kind == .rateLimited
        }
    }

    @Test func ownerLogsInWhileManyNetworksGuess() async throws {
        let clock = Clock()
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
        clock.advance(31 * 86_400_000)
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
            func isKnown(_ attempt: LoginAttempt, now: Int64) async throws -> Bool { false }
        }
        let login = Login(
            accounts: MemoryAccounts(), failures: Failing(), hashing: CountingHashing(),
            clock: Clock().clock)
        #expect(try await login.check(username: "ada", password: "right", address: "home").id == 7)
    }

    /// Nothing can be counted in the database then; guesses are limited nevertheless.
    @Test func loginWorksWhileTheDiskIsFull() async throws {
        struct Full: LoginFailureStoring {
            func begin(_ attempt: LoginAttempt, now: Int64) async throws -> Int? {
                throw FeedError(.diskFull, "The disk is full")
            }
            func retract(_ attempt: LoginAttempt, hasSucceeded: Bool, now: Int64) async throws {
                throw FeedError(.diskFull, "The disk is full")
            }
            func isKnown(_ attempt: LoginAttempt, now: Int64) async throws -> Bool { attempt.address == "home" }
        }
        let (clock, hashing) = (Clock(), CountingHashing())
        let login = Login(accounts: MemoryAccounts(), failures: Full(), hashing: hashing, clock: clock.clock)
        func kind(_ password: String, from address: String = "x") async -> FeedError.Kind? {
            do { _ = try await login.check(username: "ada", password: password, address: address) } catch {
                return (error as? FeedError)?.kind
            }
            return nil
        }
        for _ in 0..<9 { #expect(await kind("wrong") == .unauthorized) }
        #expect(await kind("right") == nil)
        // That has cleared the failures. A password that was verified need not be verified again.
        for _ in 0..<10 { #expect(await kind("wrong") == .unauthorized) }
        #expect(await kind("wrong") == .rateLimited && hashing.count == 20)
        #expect(await kind("right") == nil && hashing.count == 20)
        #expect(await kind("right", from: "elsewhere") == nil)
        clock.advance(LoginThrottle.window + 1)
        #expect(await kind("wrong") == .unauthorized)
        // Strangers do not lock the owner out.
        for index in 0..<100 { _ = await kind("wrong", from: "stranger\(index)") }
        #expect(await kind("right", from: "abroad") == .rateLimited)
        #expect(await kind("right", from: "home") == nil)
    }
}

/// A store with one account, `ada`, whose password is `right`.
struct MemoryAccounts: AccountStoring {
    var suspendedAt: Int64?
    var isPending = false

    func account(named username: String) async throws -> Account? {
        username == "ada"
            ? Account(id: 7, username: "ada", createdAt: 0, suspendedAt: suspendedAt, hasPassword: true) : nil
    }
    func account(email: String) async throws -> Account? { try await account(named: email == "a@b" ? "ada" : "") }
    func isPending(_ id: Int64) async throws -> Bool { isPending }
    func password(of id: Int64) async throws -> String? { "right" }
}

/// Keeps the counters of failed logins, and the networks of successful ones, in memory.
final class MemoryLoginFailures: LoginFailureStoring {
    private let failures = Mutex<[String: LoginThrottle.Failures]>([:])
    private let logins = Mutex<[LoginAttempt: Int64]>([:])

    func begin(_ attempt: LoginAttempt, now: Int64) async -> Int? { change(attempt, now) { $0.begin(now: now) } }

    func retract(_ attempt: LoginAttempt, hasSucceeded: Bool, now: Int64) async {
        change(attempt, now) { $0.retract(hasSucceeded: hasSucceeded) }
        if hasSucceeded { logins.withLock { $0[attempt] = now } }
    }

    func isKnown(_ attempt: LoginAttempt, now: Int64) async -> Bool { isKnown(attempt, now) }

    private func isKnown(_ attempt: LoginAttempt, _ now: Int64) -> Bool {
        KnownNetworks.isKnown(logins.withLock { $0[attempt] }, now: now)
    }

    func count(_ key: String) -> Int? { failures.withLock { $0[key]?.count } }

    @discardableResult
    private func change<Value>(
        _ attempt: LoginAttempt, _ now: Int64, _ body: (inout LoginThrottle) -> Value
    ) -> Value {
        let isKnown = isKnown(attempt, now)
        return failures.withLock { failures in
            var throttle = LoginThrottle(attempt, failures: failures, isKnown: isKnown)
            defer { failures = throttle.failures }
            return body(&throttle)
        }
    }
}

/// Compares plain texts, and counts the calls.
final class CountingHashing: PasswordHasher {
    private let calls = Mutex(0)
    var count: Int { calls.withLock { $0 } }

    func hash(_ password: String) async throws -> String { "decoy" }
    func verify(_ password: String, against stored: String) async throws -> Bool {
        calls.withLock { $0 += 1 }
        return password == stored
    }
}
