import Synchronization

/// Caches values until a change affects what they show.
///
/// A value is valid at the position of the log that was taken before it was computed. Each lookup checks the rows that
/// were appended since it was last known to be valid.
package final class ChangeLogCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let dependencies: ChangeDependencies
        let generation: Int
        var position: Int64
    }

    private struct State {
        var entries: RecentMap<Key, Entry>
        /// The callers that wait for a value that another one computes.
        var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]
    }

    private enum Lookup {
        case found(Value)
        case compute
        case wait
    }

    private let log: LogPosition
    private let metrics: CacheMetrics?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: The maximum total cost.
    ///   - name: The name under which hits and misses are counted; `nil` to count none.
    package init(log: LogPosition, limit: Int, name: String? = nil) {
        self.log = log
        state = Mutex(State(entries: RecentMap(limit: limit)))
        metrics = name.map(CacheMetrics.init)
    }

    /// Returns the cached value for `key`, or calls `make` and caches its result. Concurrent calls for one key wait for
    /// the first one.
    /// - Parameters:
    ///   - cost: The cost of a value, counted toward the limit.
    ///   - make: Computes the value and what it depends on.
    package func value(
        for key: Key, cost: @Sendable (Value) -> Int = { _ in 1 },
        make: @Sendable () async throws -> (Value, ChangeDependencies)
    ) async throws -> Value {
        var hasWaited = false
        while true {
            switch look(for: key, hasWaited: hasWaited) {
            case .found(let value):
                metrics?.record(isHit: true)
                return value
            case .compute:
                metrics?.record(isHit: false)
                return try await compute(key, cost: cost, make: make)
            case .wait:
                await wait(for: key)
                hasWaited = true
            }
        }
    }

    /// The cached value, if there is a valid one.
    /// - Parameter countsHit: Whether to count a hit. A caller that finds nothing and then calls ``value(for:cost:make:)``
    ///   counts its miss there.
    package func cached(_ key: Key, countsHit: Bool = false) -> Value? {
        let value = state.withLock { known(key, in: &$0) }
        if countsHit, value != nil { metrics?.record(isHit: true) }
        return value
    }

    /// - Parameter hasWaited: Whether the caller has waited once. If the value was affected by a change in the meantime, it
    ///   computes the value even if others do, because under continuous changes it might never become valid.
    private func look(for key: Key, hasWaited: Bool) -> Lookup {
        state.withLock { state in
            if let value = known(key, in: &state) { return .found(value) }
            guard state.waiting[key] == nil else { return hasWaited ? .compute : .wait }
            state.waiting[key] = []
            return .compute
        }
    }

    private func known(_ key: Key, in state: inout State) -> Value? {
        guard var entry = state.entries.value(for: key) else { return nil }
        guard entry.generation == log.generation, let position = log.validate(entry.dependencies, since: entry.position)
        else {
            state.entries.remove(key)
            return nil
        }
        if position != entry.position {
            entry.position = position
            state.entries.update(entry, for: key)
        }
        return entry.value
    }

    private func compute(
        _ key: Key, cost: @Sendable (Value) -> Int,
        make: @Sendable () async throws -> (Value, ChangeDependencies)
    ) async throws -> Value {
        defer { resumeWaiting(for: key) }
        let start = self.start
        let (value, dependencies) = try await make()
        insert([key: (value, dependencies)], since: start, cost: cost)
        return value
    }

    private func wait(for key: Key) async {
        await withCheckedContinuation { continuation in
            let isComputing = state.withLock { state in
                state.waiting[key]?.append(continuation)
                return state.waiting[key] != nil
            }
            if !isComputing { continuation.resume() }
        }
    }

    private func resumeWaiting(for key: Key) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: key) ?? [] }
        for continuation in waiting { continuation.resume() }
    }
}

extension ChangeLogCache {
    /// Returns the cached values for `keys`, and calls `make` once for all others, whose results it caches.
    /// - Parameters:
    ///   - cost: The cost of a value, counted toward the limit.
    ///   - make: Computes the values of the given keys, and what they depend on. Keys that it leaves out are not part of
    ///     the result.
    package func values(
        for keys: [Key], cost: @Sendable (Value) -> Int = { _ in 1 },
        make: @Sendable ([Key]) async throws -> [Key: (Value, ChangeDependencies)]
    ) async throws -> [Key: Value] {
        let (cached, missing) = known(keys)
        guard !missing.isEmpty else { return cached }
        let start = self.start
        let made = try await make(missing)
        insert(made, since: start, cost: cost)
        return made.reduce(into: cached) { $0[$1.key] = $1.value.0 }
    }

    /// The values among `keys` that are cached and valid, and the keys of the others. Counts hits and misses.
    package func known(_ keys: [Key]) -> (found: [Key: Value], missing: [Key]) {
        let result = state.withLock { state in
            var (found, missing): ([Key: Value], [Key]) = ([:], [])
            for key in keys {
                if let value = known(key, in: &state) { found[key] = value } else { missing.append(key) }
            }
            return (found, missing)
        }
        for _ in result.0 { metrics?.record(isHit: true) }
        for _ in result.1 { metrics?.record(isHit: false) }
        return result
    }
}

extension ChangeLogCache {
    /// A state of the log before values are computed: a later change may not be part of them.
    package struct Start: Sendable {
        fileprivate let generation: Int
        fileprivate let position: Int64
    }

    /// The current state.
    package var start: Start { Start(generation: log.generation, position: log.sequence) }

    /// Caches values.
    /// - Parameters:
    ///   - start: Taken before the values, or what they were read from, were computed.
    ///   - cost: The cost of a value, counted toward the limit.
    package func insert(_ values: [Key: (Value, ChangeDependencies)], since start: Start, cost: (Value) -> Int) {
        let entries = values.map { key, made in
            let (value, dependencies) = made
            let entry = Entry(
                value: value, dependencies: dependencies, generation: start.generation, position: start.position)
            return (key: key, entry: entry, cost: cost(value) + dependencies.cost)
        }
        state.withLock { state in
            for (key, entry, cost) in entries { state.entries.insert(entry, for: key, cost: cost) }
        }
    }
}
