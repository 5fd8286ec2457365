import Synchronization

/// Limits the number of tasks that perform an operation at the same time. Waiting tasks are resumed in order; a
/// cancelled task stops waiting.
final class AsyncSemaphore: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct State {
        var available: Int
        var lastID = 0
        var waiters: [(id: Int, continuation: Continuation)] = []

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(available: max(1, count))) }

    /// Waits until the limit permits another task. Each successful call must be followed by a call of ``release()``.
    /// - Throws: `CancellationError`.
    func acquire() async throws {
        let id = state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enqueue(id, $0) }
        } onCancel: {
            cancel(id)
        }
    }

    func release() {
        let next = state.withLock { state -> Continuation? in
            if !state.waiters.isEmpty { return state.waiters.removeFirst().continuation }
            state.available += 1
            return nil
        }
        next?.resume()
    }

    private func enqueue(_ id: Int, _ continuation: Continuation) {
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.available > 0 {
                state.available -= 1
                return .success(())
            }
            state.waiters.append((id: id, continuation: continuation))
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func cancel(_ id: Int) {
        let continuation = state.withLock { state -> Continuation? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index).continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
