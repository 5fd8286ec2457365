/// How many requests are answered in how much time.
package struct RateLimit: Sendable, Equatable {
    package var count: Int
    package var seconds: Int

    package init(_ count: Int, perSeconds seconds: Int) {
        self.count = count
        self.seconds = seconds
    }
}

/// Who a request is counted against.
package enum RateKey: Sendable, Hashable {
    case account(Int64)
    case address(String)

    /// Counts an address as its ``ClientNetwork``.
    package init(address: String) { self = .address(ClientNetwork.of(address)) }
}

/// What a key has left.
package struct RateState: Sendable, Equatable {
    package let limit: Int
    package let remaining: Int
    /// When everything is there again, milliseconds since 1970.
    package let resetAt: Int64
    /// This request was one too many.
    package let isRefused: Bool
}

/// Counts per key in windows of fixed length that begin for all at the same time. A pure state machine; the caller
/// gives the time.
package struct RateWindow: Sendable {
    /// Keys counted at once. Whoever fills this up commands so many addresses that one count more does not matter,
    /// so all are forgotten then.
    private static let maximumKeys = 20_000

    private let limit: RateLimit
    private var window: Int64 = -1
    private var counts: [RateKey: Int] = [:]

    package init(_ limit: RateLimit) { self.limit = limit }

    /// How many are counted at the moment.
    package var keys: Int { counts.count }

    /// - Parameter now: Milliseconds since 1970.
    package mutating func take(_ key: RateKey, now: Int64) -> RateState {
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
}
