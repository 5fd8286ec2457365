import Synchronization

/// Enforces the rate limits of a server.
package final class RateLimiter: Sendable {
    /// An action with its own rate limit.
    package enum Kind: Sendable { case request, accountCreation, applicationRegistration, post, follow, upload }

    private let clock: WallClock
    private let windows: Mutex<[Kind: RateWindow]>

    package init(limits: Limits, clock: WallClock) {
        self.clock = clock
        windows = Mutex([
            .request: RateWindow(limits.requests), .accountCreation: RateWindow(limits.accountCreations),
            .applicationRegistration: RateWindow(limits.applicationRegistrations),
            .post: RateWindow(limits.posts), .follow: RateWindow(limits.follows), .upload: RateWindow(limits.uploads),
        ])
    }

    /// Counts an action.
    /// - Returns: The state of the limit, and the current time in milliseconds since 1970.
    package func take(_ kind: Kind, _ key: RateKey) -> (state: RateState?, now: Int64) {
        let now = clock.now()
        return (windows.withLock { $0[kind]?.take(key, now: now) }, now)
    }
}
