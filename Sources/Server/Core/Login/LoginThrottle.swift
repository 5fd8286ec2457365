/// Limits password guessing by counting failed logins per address, per account and per pair of both. `LoginFailureStore`
/// keeps the counters.
///
/// The limit of an account does not apply to the networks from which its owner has logged in, so strangers who guess its
/// password cannot lock the owner out.
package struct LoginThrottle: Sendable {
    /// The number of failures in a window.
    package struct Failures: Sendable, Equatable {
        package var count: Int
        /// The start of the window in milliseconds since 1970.
        package var since: Int64

        package init(count: Int, since: Int64) {
            self.count = count
            self.since = since
        }

        /// Whether the window has not ended. One that begins much later was written before the clock was set back.
        fileprivate func isOpen(now: Int64) -> Bool {
            since > now - LoginThrottle.window && since <= now + LoginThrottle.window
        }
    }

    /// The length of a window in milliseconds.
    package static let window: Int64 = 300_000

    private let attempt: LoginAttempt
    private let isKnown: Bool
    /// The counters of the attempt, by key.
    package private(set) var failures: [String: Failures]

    /// - Parameter isKnown: Whether the account's owner has logged in from this network, according to ``KnownNetworks``.
    package init(_ attempt: LoginAttempt, failures: [String: Failures], isKnown: Bool = false) {
        self.attempt = attempt
        self.isKnown = isKnown
        self.failures = failures
    }

    /// The time in seconds until the attempt is allowed; `nil` if it is allowed now.
    package func wait(now: Int64) -> Int? {
        let limits = attempt.limits
        let allowances = [limits.pair, limits.network, limits.account]
        return zip(attempt.keys, allowances).prefix(isKnown ? 2 : 3).compactMap { key, allowance in
            guard let entry = failures[key], entry.count >= allowance, entry.isOpen(now: now) else { return nil }
            return Int((entry.since + Self.window - now + 999) / 1000)
        }.max()
    }

    /// Counts the attempt as a failure, unless it must wait.
    /// - Returns: The time in seconds until the attempt is allowed; `nil` if it has been counted.
    package mutating func begin(now: Int64) -> Int? {
        if let seconds = wait(now: now) { return seconds }
        for key in attempt.keys {
            var entry = failures[key] ?? Failures(count: 0, since: now)
            if !entry.isOpen(now: now) { entry = Failures(count: 0, since: now) }
            entry.count = min(entry.count, .max - 1) + 1
            failures[key] = entry
        }
        return nil
    }

    /// Retracts the failure that ``begin(now:)`` counted.
    /// - Parameter hasSucceeded: Whether the login succeeded, which clears all failures of this address with this
    ///   account.
    package mutating func retract(hasSucceeded: Bool) {
        for key in attempt.keys {
            guard let count = failures[key]?.count else { continue }
            if count > 1 { failures[key]?.count = count - 1 } else { failures[key] = nil }
        }
        if hasSucceeded { failures[attempt.pair] = nil }
    }
}

/// An attempt to log in, identified by the client's network and the throttle key of the account.
package struct LoginAttempt: Sendable, Hashable {
    package let address: String
    package let account: String
    /// `nil` if the account does not exist.
    package let accountID: Int64?
    package let limits: LoginLimits

    package init(address: String, account: String, accountID: Int64? = nil, limits: LoginLimits = LoginLimits()) {
        self.address = address
        self.account = account
        self.accountID = accountID
        self.limits = limits
    }

    /// The keys of the counters: the pair, the address and, last, the account.
    package var keys: [String] { [pair, "address " + address, "account " + account] }

    fileprivate var pair: String { "pair " + address + " " + account }
}

/// The counters of failed logins in memory, for while the disk is full: logging in need not write anything else.
package struct UnstoredLoginFailures: Sendable {
    /// The maximum number of counters. Attempts that would exceed it are refused.
    package static let maximum = 10_000

    private var failures: [String: LoginThrottle.Failures] = [:]

    package init() {}

    /// Counts the attempt as a failure, as ``LoginThrottle/begin(now:)`` does.
    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - isKnown: Whether the account's owner has logged in from this network, according to ``KnownNetworks``.
    ///   - error: Thrown if there are too many counters.
    package mutating func begin(
        _ attempt: LoginAttempt, now: Int64, isKnown: Bool, else error: FeedError
    ) throws(FeedError) -> Int? {
        if failures.count >= Self.maximum { failures = failures.filter { $0.value.isOpen(now: now) } }
        guard failures.count < Self.maximum else { throw error }
        return change(attempt, isKnown: isKnown) { $0.begin(now: now) }
    }

    /// Retracts the failure, as ``LoginThrottle/retract(hasSucceeded:)`` does.
    package mutating func retract(_ attempt: LoginAttempt, hasSucceeded: Bool) {
        change(attempt) { $0.retract(hasSucceeded: hasSucceeded) }
    }

    @discardableResult
    private mutating func change<Value>(
        _ attempt: LoginAttempt, isKnown: Bool = false, _ body: (inout LoginThrottle) -> Value
    ) -> Value {
        let counters = attempt.keys.compactMap { key in failures[key].map { (key, $0) } }
        var throttle = LoginThrottle(attempt, failures: Dictionary(counters) { first, _ in first }, isKnown: isKnown)
        let value = body(&throttle)
        for key in attempt.keys { failures[key] = throttle.failures[key] }
        return value
    }
}

/// A failed login, for the log.
package struct LoginFailure: Sendable, Equatable {
    /// The reason why a login failed. The client is told less, so that it cannot find out which names exist.
    package enum Reason: String, Error, Sendable, CaseIterable {
        case unknownName = "unknown name"
        case wrongPassword = "wrong password"
        case suspended
        case pending = "awaits approval"
        case tooLong = "name or password too long"
        case throttled = "too many failures"
        case unavailable

        /// Whether the login was refused, and not merely left unchecked.
        package var isRefusal: Bool { self != .unavailable }
    }

    /// The name as the client sent it.
    package let name: String
    /// The client's IP address.
    package let address: String
    package let reason: Reason

    package init(name: String, address: String, reason: Reason) {
        self.name = name
        self.address = address
        self.reason = reason
    }
}

/// The client networks from which an account has logged in recently. `LoginFailureStore` keeps them.
package enum KnownNetworks {
    /// The milliseconds for which a network stays known after a login.
    package static let lifetime: Int64 = 30 * 86_400_000
    /// The maximum number of networks per account; the one without a login for the longest time is dropped first.
    package static let maximum = 32
    /// The milliseconds in which a network is recorded only once, so that few logins cost a write.
    private static let interval: Int64 = 86_400_000

    /// - Parameters:
    ///   - login: The time of the recorded login in milliseconds since 1970; `nil` without a recorded login.
    ///   - now: Milliseconds since 1970.
    package static func isKnown(_ login: Int64?, now: Int64) -> Bool {
        login.map { $0 > now - lifetime } ?? false
    }

    /// Whether a login must be recorded. A recorded time in the future, written before the clock was set back, is
    /// replaced.
    package static func isDue(_ login: Int64?, now: Int64) -> Bool {
        login.map { $0 > now || $0 <= now - interval } ?? true
    }
}
