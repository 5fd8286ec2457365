import Synchronization

/// Caches values until the next change of any kind. Cached values are therefore never stale, and no caller has to know
/// which change invalidates which value.
package final class ChangeLogCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var sequence: Int64
        var cost = 0
        var values: [Key: Value] = [:]
    }

    private let log: LogPosition
    private let limit: Int
    private let metrics: CacheMetrics?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: The maximum total cost; when it is exceeded, the cache is emptied.
    ///   - name: The name under which hits and misses are counted; `nil` to count none.
    package init(log: LogPosition, limit: Int, name: String? = nil) {
        self.log = log
        self.limit = limit
        metrics = name.map(CacheMetrics.init)
        state = Mutex(State(sequence: log.sequence))
    }

    /// Returns the cached value for `key`, or calls `make` and caches its result.
    /// - Parameters:
    ///   - cost: The cost of a value, counted toward the limit.
    ///   - make: Computes the value.
    package func value(
        for key: Key, cost: @Sendable (Value) -> Int = { _ in 1 }, make: @Sendable () async throws -> Value
    ) async throws -> Value {
        // Read before `make` runs: a change during `make` then marks the value as stale.
        let sequence = log.sequence
        let cached = known(key, at: sequence)
        metrics?.record(isHit: cached != nil)
        if let cached { return cached }
        let value = try await make()
        keep(value, for: key, at: sequence, cost: cost(value))
        return value
    }

    private func known(_ key: Key, at sequence: Int64) -> Value? {
        state.withLock { $0.sequence == sequence ? $0.values[key] : nil }
    }

    private func keep(_ value: Value, for key: Key, at sequence: Int64, cost: Int) {
        state.withLock { state in
            guard sequence >= state.sequence, cost <= limit / 4 else { return }
            if sequence > state.sequence || state.cost + cost > limit { state = State(sequence: sequence) }
            state.cost += cost
            state.values[key] = value
        }
    }
}
