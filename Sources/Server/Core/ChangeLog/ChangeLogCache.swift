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
    private let state: Mutex<State>

    /// - Parameter limit: The maximum total cost; when it is exceeded, the cache is emptied.
    package init(log: LogPosition, limit: Int) {
        self.log = log
        self.limit = limit
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
        if let value = known(key, at: sequence) { return value }
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
