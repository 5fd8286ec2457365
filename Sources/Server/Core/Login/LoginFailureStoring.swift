/// Stores the counters of failed logins and the networks of successful ones, which all servers of a feed share.
package protocol LoginFailureStoring: Sendable {
    /// Counts an attempt as a failure before its outcome is known, unless ``LoginThrottle`` makes it wait.
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: The time in seconds until the attempt is allowed; `nil` if it may proceed.
    func begin(_ attempt: LoginAttempt, now: Int64) async throws -> Int?
    /// Retracts the failure of an attempt that succeeded or could not be checked. After a success, the network is one
    /// of the account's ``KnownNetworks``.
    /// - Parameter now: Milliseconds since 1970.
    func retract(_ attempt: LoginAttempt, hasSucceeded: Bool, now: Int64) async throws
    /// Deletes counters whose window has ended, and networks that are no longer known.
    func prune(now: Int64) async throws
}
