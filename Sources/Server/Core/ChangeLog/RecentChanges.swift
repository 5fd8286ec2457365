import Synchronization

/// The newest known position in the change log and the rows before it, available without a database query.
///
/// A writer appends its rows after the commit and before acknowledging the write. Changes made by other processes are
/// appended when the log is next read.
package final class RecentChanges: Sendable {
    /// The maximum number of rows that are checked for a cached value. Recomputing it costs less than checking more.
    private static let maximumRows = 1024

    /// A random identifier, replaced whenever data cached by readers becomes invalid.
    package var epoch: String { currentEpoch.withLock { $0 } }
    private let currentEpoch: Mutex<String>
    private let last: Atomic<Int64>
    /// The number of restarts. A value computed before a restart is invalid after it, whatever its position.
    private let restarts = Atomic(0)
    private let ring: Mutex<ChangeRing>
    private let waiters = LogWaiters()

    package init(epoch: String, sequence: Int64) {
        currentEpoch = Mutex(epoch)
        last = Atomic(sequence)
        ring = Mutex(ChangeRing(at: sequence))
    }

    /// The number of restarts so far.
    package var generation: Int { restarts.load(ordering: .acquiring) }

    /// The newest sequence number.
    package var sequence: Int64 { last.load(ordering: .acquiring) }

    /// A state of the log. What was computed from the database in this state is up to date as long as it lasts.
    package struct State: Sendable, Equatable {
        private let generation: Int
        private let sequence: Int64

        fileprivate init(generation: Int, sequence: Int64) {
            self.generation = generation
            self.sequence = sequence
        }
    }

    /// The current state.
    package var state: State { State(generation: generation, sequence: sequence) }

    /// Appends rows of the log.
    /// - Parameters:
    ///   - rows: All rows after a position that this log has reached, up to `sequence`; ascending.
    ///   - sequence: The position after the rows. A position that is not newer has no effect.
    package func append(_ rows: [Change], upTo sequence: Int64) {
        move { $0.append(rows, upTo: sequence) }
    }

    /// Appends rows if they are complete, and otherwise only advances the position.
    /// - Parameter rows: The first rows after a position that this log has reached; there may be more before `sequence`.
    package func extend(by rows: [Change], upTo sequence: Int64) {
        let isComplete = rows.last.map { $0.sequence == sequence } ?? (sequence <= self.sequence)
        if isComplete { append(rows, upTo: sequence) } else { advance(to: sequence) }
    }

    /// Advances the position without knowing the changes in between, so that no value computed before them is valid. A
    /// smaller sequence number has no effect.
    package func advance(to sequence: Int64) {
        move { $0.skip(to: sequence) }
    }

    /// Changes the ring. Ends the waits only if the position is newer: `ChangeLogPoller` often finds no change.
    private func move(_ change: (inout ChangeRing) -> Void) {
        let isNewer = ring.withLock { ring in
            let before = ring.last
            change(&ring)
            last.store(ring.last, ordering: .releasing)
            return ring.last != before
        }
        if isNewer { waiters.resumeAll() }
    }

    /// Starts again at an earlier position, after the database has lost its newest changes.
    package func restart(epoch: String, at sequence: Int64) {
        ring.withLock { ring in
            ring = ChangeRing(at: sequence)
            restarts.add(1, ordering: .acquiringAndReleasing)
            last.store(sequence, ordering: .releasing)
        }
        currentEpoch.withLock { $0 = epoch }
        waiters.resumeAll()
    }

    /// The newest rows after a position, oldest first.
    /// - Returns: `nil` if some of them are no longer known, or there are more than `limit`. They must be read from the
    ///   database then.
    package func rows(after position: Int64, limit: Int) -> [Change]? {
        ring.withLock { $0.rows(after: position, limit: limit).map(Array.init) }
    }

    /// Suspends while the log is in a state, without a task or a timer of its own.
    /// - Parameter startTimer: Called with a closure that ends the wait earlier.
    package func wait(
        while state: State, startTimer: (_ stop: @escaping @Sendable () -> Void) -> Void
    ) async {
        await waiters.wait(while: { self.state == state }, startTimer: startTimer)
    }

    /// The number of callers that wait.
    package var waiting: Int { waiters.count }

    /// Ends all waits and permits no further ones, because the server is shutting down.
    package func endWaiting() { waiters.end() }

    /// Whether a value is still valid.
    /// - Parameters:
    ///   - dependencies: What the value shows.
    ///   - position: The position at which the value was known to be valid.
    /// - Returns: The newest position at which the value is valid; `nil` if a change affects it or too many changes
    ///   would have to be checked.
    func validate(_ dependencies: CacheInvalidation, since position: Int64) -> Int64? {
        if position == sequence { return position }
        return ring.withLock { ring in
            if dependencies.areAffectedByRareKindsOnly, (ring.lastRareChange...ring.last).contains(position) {
                return ring.last
            }
            guard let rows = ring.rows(after: position, limit: Self.maximumRows),
                !rows.contains(where: dependencies.areAffected(by:))
            else { return nil }
            return ring.last
        }
    }

    /// The entries that changes may have added to the list that a value shows.
    /// - Parameters:
    ///   - dependencies: What the value shows.
    ///   - start: The position at which the value was known to be valid.
    ///   - position: The last change to consider.
    /// - Returns: `nil` if the changes may have had other effects on the list, or not all of them are known.
    func additions(to dependencies: CacheInvalidation, since start: Int64, upTo position: Int64) -> ListAdditions? {
        ring.withLock { ring in
            guard (start...).contains(position), position <= ring.last,
                let rows = ring.rows(after: start, limit: Self.maximumRows)
            else { return nil }
            return dependencies.additions(by: rows.prefix { $0.sequence <= position })
        }
    }

    /// Whether a value is known to be the same at two positions.
    func isUnaffected(_ dependencies: CacheInvalidation, between one: Int64, and other: Int64) -> Bool {
        if one == other { return true }
        let (low, high) = (min(one, other), max(one, other))
        return ring.withLock { ring in
            guard high <= ring.last, let rows = ring.rows(after: low, limit: Self.maximumRows) else { return false }
            return !rows.contains { $0.sequence <= high && dependencies.areAffected(by: $0) }
        }
    }
}

/// Requests that wait until the change log advances.
private final class LogWaiters: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastID = 0
        /// Whether new waiters are refused.
        var isOver = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.waiting.count } }

    /// Suspends until ``resumeAll()``, ``end()`` or the closure passed to `startTimer` is called, or the task is cancelled.
    /// Returns at once if `isCurrent` returns false.
    func wait(
        while isCurrent: () -> Bool, startTimer: (_ stop: @escaping @Sendable () -> Void) -> Void
    ) async {
        let id = nextID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard add(continuation, id) else { return continuation.resume() }
                startTimer { [weak self] in self?.resume(id) }
                // The log may have advanced before the continuation was added.
                if Task.isCancelled || !isCurrent() { resume(id) }
            }
        } onCancel: {
            resume(id)
        }
    }

    func resumeAll() {
        let waiting = state.withLock { state in
            defer { if !state.waiting.isEmpty { state.waiting = [:] } }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Resumes all requests; further ones no longer wait.
    func end() {
        state.withLock { $0.isOver = true }
        resumeAll()
    }

    private func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// - Returns: Whether the caller may wait.
    private func add(_ continuation: CheckedContinuation<Void, Never>, _ id: Int) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.waiting[id] = continuation
            return true
        }
    }

    private func resume(_ id: Int) { state.withLock { $0.waiting.removeValue(forKey: id) }?.resume() }
}

/// The newest rows of the change log, without gaps.
struct ChangeRing: Sendable {
    /// The number of rows that are kept.
    static let capacity = 1024

    /// The position after the newest row.
    private(set) var last: Int64
    /// The position before the oldest row.
    private var floor: Int64
    /// The position of the newest change of a rare kind. If changes were skipped, one of them may have been rare.
    private(set) var lastRareChange: Int64
    /// Ascending by sequence number.
    private var rows: [Change] = []

    init(at position: Int64) {
        last = position
        floor = position
        lastRareChange = position
    }

    /// Appends rows, and ignores rows that are already in the ring.
    /// - Parameters:
    ///   - new: All rows after a position that is not behind ``last``, up to `position`; ascending.
    ///   - position: The position after them.
    mutating func append(_ new: [Change], upTo position: Int64) {
        guard position > last else { return }
        let added = new.drop { $0.sequence <= last }
        rows += added
        last = position
        if let rare = added.last(where: { CacheInvalidation.rareKinds.contains($0.kind) }) {
            lastRareChange = rare.sequence
        }
        guard rows.count > 2 * Self.capacity else { return }
        let dropped = rows.count - Self.capacity
        floor = rows[dropped - 1].sequence
        rows.removeFirst(dropped)
    }

    /// Moves to a position without knowing the rows before it.
    mutating func skip(to position: Int64) {
        guard position > last else { return }
        self = ChangeRing(at: position)
    }

    /// The rows after a position.
    /// - Returns: `nil` if some of them are no longer known, if there are more than `limit`, or if the position is ahead.
    func rows(after position: Int64, limit: Int) -> ArraySlice<Change>? {
        guard (floor...last).contains(position) else { return nil }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].sequence <= position { low = middle + 1 } else { high = middle }
        }
        return rows.count - low <= limit ? rows[low...] : nil
    }
}
