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
    package func consume(_ kind: Kind, _ key: RateKey) -> (state: RateState?, now: Int64) {
        let now = clock.now()
        return (windows.withLock { $0[kind]?.consume(key, now: now) }, now)
    }

    /// Undoes one ``consume(_:_:)`` of the current window.
    package func giveBack(_ kind: Kind, _ key: RateKey) {
        let now = clock.now()
        windows.withLock { $0[kind]?.giveBack(key, now: now) }
    }
}

/// The maximum number of requests in a period of time.
package struct RateLimit: Sendable, Equatable {
    package var count: Int
    package var seconds: Int

    package init(_ count: Int, perSeconds seconds: Int) {
        self.count = count
        self.seconds = seconds
    }
}

/// The account or client network that a request is counted against.
package enum RateKey: Sendable, Hashable {
    case account(Int64)
    case address(String)

    /// Maps an address to its ``ClientNetwork``.
    package init(address: String) { self = .address(ClientNetwork.key(for: address)) }
}

/// The state of a rate limit after a request.
package struct RateState: Sendable, Equatable {
    package let limit: Int
    package let remaining: Int
    /// The end of the current window, in milliseconds since 1970.
    package let resetAt: Int64
    /// Whether the request exceeds the limit.
    package let isRefused: Bool

    /// The whole seconds until the end of the current window.
    /// - Parameter now: Milliseconds since 1970.
    package func secondsLeft(now: Int64) -> Int { Int((resetAt - now + 999) / 1000) }
}

/// Counts requests per key in fixed windows that start at the same time for all keys. A pure state machine.
package struct RateWindow: Sendable {
    /// The maximum number of keys; all counters are reset when it is reached. A client that controls so many addresses
    /// gains little by the reset.
    private static let maximumKeys = 20_000

    /// May change; a new period begins a new window.
    package var limit: RateLimit
    private var window: Int64 = -1
    private var counts: [RateKey: Int] = [:]

    package init(_ limit: RateLimit) { self.limit = limit }

    /// The number of keys counted in the current window.
    package var keys: Int { counts.count }

    /// Counts a request.
    /// - Parameter now: Milliseconds since 1970.
    package mutating func consume(_ key: RateKey, now: Int64) -> RateState {
        let length = Int64(limit.seconds) * 1000
        if now / length != window { counts.removeAll(keepingCapacity: true) }
        window = now / length
        if counts.count >= Self.maximumKeys, counts[key] == nil { counts.removeAll(keepingCapacity: true) }
        let count = min(counts[key, default: 0], limit.count) + 1
        counts[key] = count
        return RateState(
            limit: limit.count, remaining: max(0, limit.count - count), resetAt: (window + 1) * length,
            isRefused: count > limit.count)
    }

    /// Undoes one ``consume(_:now:)``, unless its window has ended.
    package mutating func giveBack(_ key: RateKey, now: Int64) {
        guard now / (Int64(limit.seconds) * 1000) == window, let count = counts[key], count > 0 else { return }
        counts[key] = count - 1
    }
}

/// Limits how often an event is logged.
package struct LogInterval: Sendable {
    private let milliseconds: Int64
    private var last: Int64?
    private var suppressed = 0

    /// - Parameter milliseconds: The minimum time between two lines.
    package init(milliseconds: Int64 = 60_000) { self.milliseconds = milliseconds }

    /// Counts an event.
    /// - Parameter now: Milliseconds of a monotonic clock.
    /// - Returns: The number of events since the last line, including this one, if a line is due.
    package mutating func take(now: Int64) -> Int? {
        suppressed += 1
        if let last, now - last < milliseconds { return nil }
        defer { suppressed = 0 }
        last = now
        return suppressed
    }
}
