import Synchronization

/// Enforces the rate limits of a server.
package final class RateLimiter: Sendable {
    /// An action with its own rate limit.
    package enum Kind: Sendable {
        case request, accountCreation, applicationRegistration, post, follow, upload
        /// A web page.
        case page
        /// A request that is refused, or for which there is no endpoint.
        case refusal
    }

    private let clock: WallClock
    private let windows: Mutex<[Kind: RateWindow]>

    package init(limits: Limits, clock: WallClock) {
        self.clock = clock
        windows = Mutex(Self.rates(limits).mapValues { RateWindow($0) })
    }

    /// Replaces the limits, and keeps the counts of the current windows.
    package func update(_ limits: Limits) {
        windows.withLock { windows in
            for (kind, rate) in Self.rates(limits) { windows[kind]?.limit = rate }
        }
    }

    private static func rates(_ limits: Limits) -> [Kind: RateLimit] {
        [
            .request: limits.requests, .accountCreation: limits.accountCreations,
            .applicationRegistration: limits.applicationRegistrations, .post: limits.posts, .follow: limits.follows,
            .upload: limits.uploads, .page: limits.pages, .refusal: limits.refusals,
        ]
    }

    /// Counts an action.
    /// - Returns: The state of the limit, and the current time in milliseconds since 1970.
    package func take(_ kind: Kind, _ key: RateKey) -> (state: RateState?, now: Int64) {
        let now = clock.now()
        return (windows.withLock { $0[kind]?.take(key, now: now) }, now)
    }

    /// Undoes one ``take(_:_:)`` of the current window.
    package func giveBack(_ kind: Kind, _ key: RateKey) {
        let now = clock.now()
        windows.withLock { $0[kind]?.giveBack(key, now: now) }
    }
}
