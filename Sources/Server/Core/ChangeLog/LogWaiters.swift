import Synchronization

/// Requests that wait until the change log advances.
final class LogWaiters: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastID = 0
        /// Whether nobody may wait any more.
        var isOver = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.waiting.count } }

    /// Suspends until ``resumeAll()``, ``end()`` or the closure passed to `startTimer` is called. Returns at once if
    /// `isCurrent` returns false.
    func wait(
        while isCurrent: () -> Bool, startTimer: (_ stop: @escaping @Sendable () -> Void) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            guard let id = add(continuation) else { return continuation.resume() }
            startTimer { [weak self] in self?.resume(id) }
            // The log may have advanced before the continuation was added.
            if !isCurrent() { resume(id) }
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

    private func add(_ continuation: CheckedContinuation<Void, Never>) -> Int? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            state.lastID += 1
            state.waiting[state.lastID] = continuation
            return state.lastID
        }
    }

    private func resume(_ id: Int) { state.withLock { $0.waiting.removeValue(forKey: id) }?.resume() }
}
