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

/// Limits the number of tasks that use the same host at the same time.
final class HostLimit: Sendable {
    private struct Host {
        let semaphore: AsyncSemaphore
        /// The number of tasks that use the semaphore or wait for it.
        var users = 0
    }

    private let count: Int
    /// The hosts that are in use.
    private let hosts = Mutex<[String: Host]>([:])

    init(_ count: Int) { self.count = count }

    /// Performs `work` when fewer than the permitted number of tasks use `host`.
    /// - Throws: Any error thrown by `work`; `CancellationError`.
    func run<Value>(
        _ host: String, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
    ) async throws -> Value {
        let semaphore = enter(host)
        defer { leave(host) }
        try await semaphore.acquire()
        defer { semaphore.release() }
        return try await work()
    }

    private func enter(_ host: String) -> AsyncSemaphore {
        hosts.withLock { hosts in
            var entry = hosts[host] ?? Host(semaphore: AsyncSemaphore(count))
            entry.users += 1
            hosts[host] = entry
            return entry.semaphore
        }
    }

    private func leave(_ host: String) {
        hosts.withLock { hosts in
            guard var entry = hosts[host] else { return }
            entry.users -= 1
            hosts[host] = entry.users > 0 ? entry : nil
        }
    }
}
