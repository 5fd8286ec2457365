import DequeModule

/// The queues of work above a limit: decides whose work runs and whose waits. A pure state machine.
///
/// The owners of waiting work take turns, and the work of one owner starts in the order of arrival, so an owner of much
/// work delays the others no more than an owner of little.
package struct FairQueue<Waiter: Sendable>: Sendable {
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
