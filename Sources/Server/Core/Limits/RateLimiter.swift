import Synchronization

/// Counts the requests of a running server.
package final class RateLimiter: Sendable {
    /// What has a limit of its own.
    package enum Kind: Sendable { case request, accountCreation, applicationRegistration }

    private let clock: WallClock
    private let windows: Mutex<[Kind: RateWindow]>

    package init(limits: Limits, clock: WallClock) {
        self.clock = clock
        windows = Mutex([
            .request: RateWindow(limits.requests), .accountCreation: RateWindow(limits.accountCreations),
            .applicationRegistration: RateWindow(limits.applicationRegistrations),
        ])
    }

    /// Counts a request.
    package func take(_ kind: Kind, _ key: RateKey) -> (state: RateState?, now: Int64) {
        let now = clock.now()
        return (windows.withLock { $0[kind]?.take(key, now: now) }, now)
    }
}
