import Synchronization

/// Answers kept for as long as nothing changes: the first change of any kind empties it. So it can never be wrong, and
/// needs nobody to tell it what a change means.
package final class ChangeLogCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var sequence: Int64
        var cost = 0
        var values: [Key: Value] = [:]
    }

    private let log: LogPosition
    private let limit: Int
    private let state: Mutex<State>

    /// - Parameter limit: The most that all values may cost together; beyond it, all go.
    package init(log: LogPosition, limit: Int) {
        self.log = log
        self.limit = limit
        state = Mutex(State(sequence: log.sequence))
    }

    /// The value of `key`, made by `make` unless it is known.
    /// - Parameter cost: What a value counts against the limit.
    package func value(
        for key: Key, cost: @Sendable (Value) -> Int = { _ in 1 }, make: @Sendable () async throws -> Value
    ) async throws -> Value {
        // Taken before the value is made: what changes while it is made leaves it behind the log, and so unused.
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
