import Synchronization

/// Counts the requests of a running server.
package final class RateLimiter: Sendable {
    /// What has a limit of its own.
    package enum Kind: Sendable { case request, accountCreation, applicationRegistration }

    private let surroundings: Surroundings
    private let windows: Mutex<[Kind: RateWindow]>

    package init(limits: Limits, surroundings: Surroundings) {
        self.surroundings = surroundings
        windows = Mutex([
            .request: RateWindow(limits.requests), .accountCreation: RateWindow(limits.accountCreations),
            .applicationRegistration: RateWindow(limits.applicationRegistrations),
        ])
    }

    /// Counts a request.
    package func take(_ kind: Kind, _ key: RateKey) -> (state: RateState?, now: Int64) {
        let now = surroundings.now()
        return (windows.withLock { $0[kind]?.take(key, now: now) }, now)
    }
}
