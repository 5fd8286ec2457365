import DequeModule
import Synchronization

/// Limits the requests that run at the same time, in total and to one host. The others wait in the order of arrival; a
/// slow host does not hold places that others could use. A cancelled task stops waiting.
final class AvatarRequestLimiter: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct Waiter {
        let id: Int
        let host: String
        let continuation: Continuation
    }

    private struct State {
        var running = 0
        /// The running requests to each host that has any.
        var hosts: [String: Int] = [:]
        var lastID = 0
        var waiters = Deque<Waiter>()
    }

    private let maximum: Int
    private let maximumPerHost: Int
    private let state = Mutex(State())

    init(_ maximum: Int, perHost: Int) {
        self.maximum = max(1, maximum)
        maximumPerHost = max(1, perHost)
    }

    /// Performs `work` when the limits permit another request to `host`.
    /// - Throws: Any error thrown by `work`; `CancellationError`.
    func run<Value>(
        _ host: String, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
    ) async throws -> Value {
        try await enter(host)
        defer { leave(host) }
        return try await work()
    }

    private func enter(_ host: String) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(Waiter(id: id, host: host, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func enqueue(_ waiter: Waiter) {
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            guard mayStart(waiter.host, state) else {
                state.waiters.append(waiter)
                return nil
            }
            start(waiter.host, &state)
            return .success(())
        }
        if let outcome { waiter.continuation.resume(with: outcome) }
    }

    private func mayStart(_ host: String, _ state: State) -> Bool {
        state.running < maximum && state.hosts[host, default: 0] < maximumPerHost
    }

    private func start(_ host: String, _ state: inout State) {
        state.running += 1
        state.hosts[host, default: 0] += 1
    }

    /// Ends a request, and starts the first waiting one that the limits permit.
    private func leave(_ host: String) {
        let next = state.withLock { state -> Continuation? in
            state.running -= 1
            state.hosts[host] = state.hosts[host].flatMap { $0 > 1 ? $0 - 1 : nil }
            guard let index = state.waiters.firstIndex(where: { mayStart($0.host, state) }) else { return nil }
            let waiter = state.waiters.remove(at: index)
            start(waiter.host, &state)
            return waiter.continuation
        }
        next?.resume()
    }

    private func cancel(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
