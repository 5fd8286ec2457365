import Synchronization

/// Requests that wait until the change log advances.
final class LogWaiters: Sendable {
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
