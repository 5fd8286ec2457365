/// The client networks from which an account has logged in recently. Pure rules; ``LoginFailureStoring`` keeps them.
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
