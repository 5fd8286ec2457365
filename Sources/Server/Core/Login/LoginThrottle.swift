/// Limits password guessing by counting failed logins per address, per account and per pair of both.
///
/// A pure state machine. Times are milliseconds since 1970.
package struct LoginThrottle: Sendable {
    /// The number of failures allowed per key and window.
    private enum Allowance {
        static let pair = 10
        static let address = 40
        static let account = 100
    }

    private static let window: Int64 = 300_000
    private static let maximumKeys = 20_000

    private struct Failures {
        var count: Int
        var since: Int64
    }

    private var failures: [String: Failures] = [:]

    package init() {}

    /// The time in seconds until this address may try this account again, or `nil` if it may try now.
    package func wait(address: String, account: String, now: Int64) -> Int? {
        keys(address, account).compactMap { key, allowance in
            guard let entry = failures[key], entry.count >= allowance, now < entry.since + Self.window else {
                return nil
            }
            return Int((entry.since + Self.window - now + 999) / 1000)
        }.max()
    }

    /// Records a failed login.
    package mutating func failed(address: String, account: String, now: Int64) {
        if failures.count > Self.maximumKeys { failures = failures.filter { now < $0.value.since + Self.window } }
        if failures.count > Self.maximumKeys { failures.removeAll() }
        for (key, _) in keys(address, account) {
            var entry = failures[key] ?? Failures(count: 0, since: now)
            if now >= entry.since + Self.window { entry = Failures(count: 0, since: now) }
            entry.count += 1
            failures[key] = entry
        }
    }

    /// Records a successful login: clears the failures of this pair of address and account only.
    package mutating func succeeded(address: String, account: String) {
        failures[Self.pair(address, account)] = nil
    }

    /// Retracts one failure from all counters.
    package mutating func retract(address: String, account: String) {
        for (key, _) in keys(address, account) {
            guard let count = failures[key]?.count else { continue }
            if count > 1 { failures[key]?.count = count - 1 } else { failures[key] = nil }
        }
    }

    private func keys(_ address: String, _ account: String) -> [(String, Int)] {
        [
            (Self.pair(address, account), Allowance.pair), ("address " + address, Allowance.address),
            ("account " + account, Allowance.account),
        ]
    }

    private static func pair(_ address: String, _ account: String) -> String { "pair " + address + " " + account }
}
