import DequeModule
import Synchronization

/// Limits the expensive work that runs concurrently, per account or client network and in total.
///
/// Work above the limit of its owner waits, so a client that sends many requests delays only itself. Above the total,
/// work is refused at once, so that the other is done in time, or it waits too, and the owners take turns
/// (``ConcurrencyLimits/waitsForOthers``).
package final class ConcurrencyLimiter: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private let state: Mutex<ConcurrencyState<Continuation>>
    private let lastID = Atomic<UInt64>(0)

    package init(_ limits: ConcurrencyLimits) { state = Mutex(ConcurrencyState(limits)) }

    /// The work that runs, of all owners.
    package var running: Int { state.withLock { $0.running } }
    /// The work that waits, of all owners.
    package var waiting: Int { state.withLock { $0.waiting } }

    /// Starts work without waiting. A call that returns `true` must be followed by one of ``leave(_:)``.
    package func tryEnter(_ owner: RateKey) -> Bool { state.withLock { $0.tryEnter(owner) } }

    /// Ends work, and starts the one that is next.
    package func leave(_ owner: RateKey) { state.withLock { $0.leave(owner) }?.resume() }

    /// Ends the wait of work, which then throws `CancellationError`. Has no effect on work that does not wait.
    package func cancel(_ owner: RateKey, id: UInt64) {
        state.withLock { $0.cancel(owner, id) }?.resume(throwing: CancellationError())
    }

    /// Runs `body` as soon as the limits permit it.
    /// - Parameters:
    ///   - id: A number for ``cancel(_:id:)``, with which no other work of the limiter waits; `nil` for all work of a
    ///     limiter whose work is cancelled with its tasks only.
    ///   - isNeeded: Asked once the work waits, so that a call of ``cancel(_:id:)`` before that is not missed.
    /// - Throws: ``FeedError`` `.unavailable` if the work is refused, `CancellationError` if its wait or the task is
    ///   cancelled while it waits, and any error thrown by `body`.
    package func run<Value>(
        _ owner: RateKey, id: UInt64? = nil, while isNeeded: () -> Bool = { true }, _ body: () async throws -> Value
    ) async throws -> Value {
        if !tryEnter(owner) {
            try await enter(owner, id ?? lastID.add(1, ordering: .relaxed).newValue, while: isNeeded)
        }
        defer { leave(owner) }
        return try await body()
    }

    private func enter(_ owner: RateKey, _ id: UInt64, while isNeeded: () -> Bool) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch state.withLock({ $0.enter(owner, id, continuation) }) {
                case .start: continuation.resume()
                case .wait: if Task.isCancelled || !isNeeded() { cancel(owner, id: id) }
                case .refuseOwner: continuation.resume(throwing: Self.tooMany)
                case .refuseAll: continuation.resume(throwing: Self.busy)
                }
            }
        } onCancel: {
            cancel(owner, id: id)
        }
    }

    private static var tooMany: FeedError {
        FeedError(
            .unavailable, "Too many concurrent requests", hint: "Send fewer requests at a time.", retryAfter: 1)
    }

    private static var busy: FeedError {
        FeedError(.unavailable, "The server is busy", hint: "Try again in a few seconds.", retryAfter: 2)
    }
}

/// Decides whose work runs and whose waits. A pure state machine.
///
/// The owners of waiting work take turns, and the work of one owner starts in the order of arrival, so an owner of much
/// work delays the others no more than an owner of little.
package struct ConcurrencyState<Waiter: Sendable>: Sendable {
    package enum Outcome: Equatable { case start, wait, refuseOwner, refuseAll }

    private struct Queue {
        var running = 0
        var waiting = Deque<(id: UInt64, waiter: Waiter)>()
        /// Whether the owner is in ``turns``.
        var hasTurn = false

        var isUnused: Bool { running == 0 && waiting.isEmpty && !hasTurn }
    }

    private let limits: ConcurrencyLimits
    private var queues: [RateKey: Queue] = [:]
    /// The owners that are below their own limit and have waiting work, each once. One whose work has left the queue
    /// keeps its turn.
    private var turns = Deque<RateKey>()
    /// The running and the waiting work of all owners.
    package private(set) var running = 0
    package private(set) var waiting = 0

    package init(_ limits: ConcurrencyLimits) { self.limits = limits }

    /// The number of owners in memory.
    package var owners: Int { queues.count }

    /// Starts work of an owner, unless a limit has been reached.
    package mutating func tryEnter(_ owner: RateKey) -> Bool {
        guard running < limits.total, queues[owner]?.running ?? 0 < limits.perOwner else { return false }
        start(owner)
        return true
    }

    /// Starts work, or adds it to the queue of its owner.
    /// - Parameter id: Tells the work apart from all other of its owner.
    package mutating func enter(_ owner: RateKey, _ id: UInt64, _ waiter: Waiter) -> Outcome {
        if tryEnter(owner) { return .start }
        var queue = queues[owner] ?? Queue()
        let isBelowLimit = queue.running < limits.perOwner
        if isBelowLimit, !limits.waitsForOthers { return .refuseAll }
        guard queue.waiting.count < limits.waitingPerOwner else { return .refuseOwner }
        queue.waiting.append((id, waiter))
        waiting += 1
        queues[owner] = queue
        if isBelowLimit { addTurn(owner) }
        return .wait
    }

    /// Ends work of an owner.
    /// - Returns: The waiting work that starts now.
    package mutating func leave(_ owner: RateKey) -> Waiter? {
        queues[owner]?.running -= 1
        running -= 1
        addTurn(owner)
        while let next = turns.popFirst() {
            queues[next]?.hasTurn = false
            if let waiter = takeWaiting(next) { return waiter }
        }
        return nil
    }

    /// Removes waiting work. Takes time in proportion to the waiting work of its owner.
    package mutating func cancel(_ owner: RateKey, _ id: UInt64) -> Waiter? {
        guard let index = queues[owner]?.waiting.firstIndex(where: { $0.id == id }) else { return nil }
        let waiter = queues[owner]?.waiting.remove(at: index).waiter
        waiting -= 1
        removeIfUnused(owner)
        return waiter
    }

    private mutating func start(_ owner: RateKey) {
        queues[owner, default: Queue()].running += 1
        running += 1
    }

    private mutating func takeWaiting(_ owner: RateKey) -> Waiter? {
        guard let first = queues[owner]?.waiting.popFirst() else {
            removeIfUnused(owner)
            return nil
        }
        waiting -= 1
        start(owner)
        addTurn(owner)
        return first.waiter
    }

    /// Puts an owner behind all others, if it has waiting work that may start.
    private mutating func addTurn(_ owner: RateKey) {
        guard let queue = queues[owner], !queue.hasTurn, !queue.waiting.isEmpty, queue.running < limits.perOwner else {
            return removeIfUnused(owner)
        }
        queues[owner]?.hasTurn = true
        turns.append(owner)
    }

    private mutating func removeIfUnused(_ owner: RateKey) {
        if queues[owner]?.isUnused == true { queues[owner] = nil }
    }
}
