import CoreMetrics
import Synchronization

/// Caches values until a change affects what they show.
///
/// A value is valid at the position of the log that was taken before it was computed. Each lookup checks the rows that
/// were appended since it was last known to be valid.
package final class ChangeLogCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value, and what it depends on.
    package final class Entry: Sendable {
        package let value: Value
        package let dependencies: CacheInvalidation
        let generation: Int
        /// The newest position at which the value is known to be valid.
        let position: Atomic<Int64>

        fileprivate init(_ value: Value, _ dependencies: CacheInvalidation, generation: Int, position: Int64) {
            (self.value, self.dependencies, self.generation) = (value, dependencies, generation)
            self.position = Atomic(position)
        }

        /// The entries that changes since the value was last valid may have added to the list that it shows.
        /// - Parameter position: The last change to consider.
        /// - Returns: `nil` if the changes may have had other effects on the list, or not all of them are known.
        package func additions(upTo position: Int64, in log: RecentChanges) -> ListAdditions? {
            guard generation == log.generation else { return nil }
            return log.additions(to: dependencies, since: self.position.load(ordering: .relaxed), upTo: position)
        }
    }

    private struct State {
        var entries: LRUCache<Key, Entry>
        /// The callers that wait for a value that another one computes.
        var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]
    }

    private enum Lookup {
        case found(Value)
        /// With the stale value, if there is one.
        case compute(Entry?)
        case wait
    }

    private let log: RecentChanges
    private let metrics: CacheMetrics?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: The maximum total cost.
    ///   - name: The name under which hits and misses are counted; `nil` to count none.
    package init(log: RecentChanges, limit: Int, name: String? = nil) {
        self.log = log
        state = Mutex(State(entries: LRUCache(limit: limit)))
        metrics = name.map(CacheMetrics.init)
    }

    /// Returns the cached value for `key`, or calls `make` and caches its result. Concurrent calls for one key wait for
    /// the first one.
    /// - Parameters:
    ///   - cost: The cost of a value, counted toward the limit.
    ///   - make: Computes the value and what it depends on.
    package func value(
        for key: Key, cost: @Sendable (Value) -> Int = { _ in 1 },
        make: @Sendable () async throws -> (Value, CacheInvalidation)
    ) async throws -> Value {
        try await value(for: key, cost: cost, refresh: { _ in try await make() })
    }

    /// The same for values that can be computed from their earlier ones.
    /// - Parameter refresh: Gets the stale value, which a change has affected, if there is one.
    package func value(
        for key: Key, cost: @Sendable (Value) -> Int = { _ in 1 },
        refresh: @Sendable (_ stale: Entry?) async throws -> (Value, CacheInvalidation)
    ) async throws -> Value {
        var hasWaited = false
        while true {
            switch look(for: key, hasWaited: hasWaited) {
            case .found(let value):
                metrics?.record(isHit: true)
                return value
            case .compute(let stale):
                metrics?.record(isHit: false)
                return try await compute(key, cost: cost) { try await refresh(stale) }
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
            let entry = state.entries.value(for: key)
            if let entry, isValid(entry) { return .found(entry.value) }
            guard state.waiting[key] == nil else { return hasWaited ? .compute(nil) : .wait }
            state.waiting[key] = []
            return .compute(entry)
        }
    }

    private func known(_ key: Key, in state: inout State) -> Value? {
        guard let entry = state.entries.value(for: key), isValid(entry) else { return nil }
        return entry.value
    }

    private func isValid(_ entry: Entry) -> Bool {
        let position = entry.position.load(ordering: .relaxed)
        guard entry.generation == log.generation, let newer = log.validate(entry.dependencies, since: position) else {
            return false
        }
        if newer != position { entry.position.store(newer, ordering: .relaxed) }
        return true
    }

    private func compute(
        _ key: Key, cost: @Sendable (Value) -> Int,
        make: @Sendable () async throws -> (Value, CacheInvalidation)
    ) async throws -> Value {
        defer { resumeWaiting(for: key) }
        // Read before `make` runs: a change during `make` may not be part of the value.
        let (generation, position) = (log.generation, log.sequence)
        let (value, dependencies) = try await make()
        let entry = Entry(value, dependencies, generation: generation, position: position)
        insert(entry, for: key, cost: cost(value))
        return value
    }

    private func insert(_ entry: Entry, for key: Key, cost: Int) {
        let cost = cost + entry.dependencies.cost
        state.withLock { $0.entries.insert(entry, for: key, cost: cost) }
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
        make: @Sendable ([Key]) async throws -> [Key: (Value, CacheInvalidation)]
    ) async throws -> [Key: Value] {
        let (cached, missing) = known(keys)
        var values = cached
        for _ in values { metrics?.record(isHit: true) }
        guard !missing.isEmpty else { return values }
        for _ in missing { metrics?.record(isHit: false) }
        // Read before `make` runs, as for a single value.
        let (generation, position) = (log.generation, log.sequence)
        for (key, (value, dependencies)) in try await make(missing) {
            let entry = Entry(value, dependencies, generation: generation, position: position)
            insert(entry, for: key, cost: cost(value))
            values[key] = value
        }
        return values
    }

    private func known(_ keys: [Key]) -> (found: [Key: Value], missing: [Key]) {
        state.withLock { state in
            var (values, missing): ([Key: Value], [Key]) = ([:], [])
            for key in keys {
                if let value = known(key, in: &state) { values[key] = value } else { missing.append(key) }
            }
            return (values, missing)
        }
    }
}

/// For values that are computed from a snapshot of the database, whose position in the log was read with it. They are as
/// exact as the snapshot, and no lookup waits.
extension ChangeLogCache {
    /// The cached values, in the order of `keys`, that are the same at a position of the log; `nil` for each of the others.
    package func values(for keys: [Key], at position: Int64) -> [Value?] {
        let values = state.withLock { state in keys.map { value(for: $0, at: position, in: &state) } }
        let missing = values.count { $0 == nil }
        metrics?.record(isHit: true, count: values.count - missing)
        metrics?.record(isHit: false, count: missing)
        return values
    }

    private func value(for key: Key, at position: Int64, in state: inout State) -> Value? {
        guard let entry = state.entries.value(for: key), entry.generation == log.generation else { return nil }
        let newest = entry.position.load(ordering: .relaxed)
        guard log.isUnaffected(entry.dependencies, between: newest, and: position) else { return nil }
        if position > newest { entry.position.store(position, ordering: .relaxed) }
        return entry.value
    }

    /// Adds a value.
    /// - Parameters:
    ///   - position: The position at which it was computed.
    ///   - generation: That of the log before the snapshot was taken.
    package func insert(
        _ value: Value, for key: Key, cost: Int, _ dependencies: CacheInvalidation, at position: Int64, generation: Int
    ) {
        insert(Entry(value, dependencies, generation: generation, position: position), for: key, cost: cost)
    }
}

/// Counts the hits and misses of a cache.
private struct CacheMetrics: Sendable {
    private let hits: Counter
    private let misses: Counter

    /// - Parameter cache: The name of the cache.
    init(cache: String) {
        let label = MetricName.cacheRequests.rawValue
        hits = Counter(label: label, dimensions: [("cache", cache), ("result", "hit")])
        misses = Counter(label: label, dimensions: [("cache", cache), ("result", "miss")])
    }

    func record(isHit: Bool, count: Int = 1) { (isHit ? hits : misses).increment(by: count) }
}
