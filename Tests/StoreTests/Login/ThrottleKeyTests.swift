import FeedCore
import FeedStore
import TestKit
import Testing

/// The keys by which failed logins are counted.
@Suite(.hangLimit)
struct ThrottleKeyTests {
    private static func login() -> Login {
        Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: CountingHashing(),
            clock: WallClock { 1_000_000 })
    }

    /// Ten guesses from ten addresses in one network; another network may still log in.
    @Test(arguments: [
        ((0..<10).map { "2001:db8::\($0)" }, "2001:db8::ffff", "2001:db8:0:1::1"),
        (
            (0..<10).map { "::ffff:10.0.0.\($0 % 2 + 1)" } + Array(repeating: "10.0.0.1", count: 5), "10.0.0.1",
            "10.0.0.3"
        ),
    ])
    func networkIsThrottledAsAWhole(guesses: [String], known: String, other: String) async throws {
        let login = Self.login()
        for address in guesses {
            _ = try? await login.check(username: "ada", password: "wrong", address: address)
        }
        await #expect { try await login.check(username: "ada", password: "right", address: known) } throws: {
            ($0 as? FeedError)?.kind == .rateLimited
        }
        #expect(try await login.check(username: "ada", password: "right", address: other).id == 7)
    }

    /// The next attempt after a reload is judged by the new limits.
    @Test func limitsFollowTheSettings() async throws {
        var values = ReloadableSettings.Values()
        values.limits.loginFailures.pair = 2
        let settings = ReloadableSettings(values)
        let login = Login(
            accounts: MemoryAccounts(), failures: MemoryLoginFailures(), hashing: CountingHashing(),
            clock: WallClock { 1_000_000 }, settings: settings)
        for _ in 0..<2 { _ = try? await login.check(username: "ada", password: "wrong", address: "x") }
        await #expect { try await login.check(username: "ada", password: "right", address: "x") } throws: {
            ($0 as? FeedError)?.kind == .rateLimited
        }
        values.limits.loginFailures.pair = 3
        settings.replace(with: values)
        #expect(try await login.check(username: "ada", password: "right", address: "x").id == 7)
    }

    /// Otherwise anyone who knows the email address would have twice as many guesses.
    @Test func usernameAndEmailCountAsOneAccount() async throws {
        let login = Self.login()
        for index in 0..<10 {
            let name = ["ada", "ADA", "a@b", "A@B"][index % 4]
            await #expect { try await login.check(username: name, password: "wrong", address: "x") } throws: {
                ($0 as? FeedError)?.kind == .unauthorized
            }
        }
        for name in ["ada", "a@b"] {
            await #expect { try await login.check(username: name, password: "right", address: "x") } throws: {
                ($0 as? FeedError)?.kind == .rateLimited
            }
        }
        for name in ["nobody", "id 7", "7"] {
            await #expect { try await login.check(username: name, password: "x", address: "x") } throws: {
                ($0 as? FeedError)?.kind == .unauthorized
            }
        }
    }
}
