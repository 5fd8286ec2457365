import Synchronization

/// Shares one task among concurrent requests for the same value. The task is cancelled when the last waiter is
/// cancelled.
///
/// Every continuation is resumed exactly once, because the code that removes it from the state (under the lock) resumes
/// it.
final class SharedTasks<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Flight {
        let id: Int
        let task: Task<Void, Never>
        var waiters: [Int: Waiter] = [:]
    }

    private struct State {
        var flights: [String: Flight] = [:]
        var lastID = 0

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let state = Mutex(State())

    /// The value for `key`, from a running task or from a new one that performs `work`.
    /// - Throws: Any error thrown by `work`; `CancellationError` if the calling task is cancelled.
    func value(for key: String, work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let id = state.withLock { $0.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(key, id, $0, work) }
        } onCancel: {
            leave(key, id)
        }
    }

    /// The number of waiters for `key`.
    func waiterCount(for key: String) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

    /// Cancels all tasks and throws `error` to their waiters.
    func failAll(_ error: any Error) {
        let flights = state.withLock { state in
            let flights = Array(state.flights.values)
            state.flights = [:]
            return flights
        }
        for flight in flights {
            flight.task.cancel()
            for waiter in flight.waiters.values { waiter.resume(throwing: error) }
        }
    }

    /// Joins a running task. A caller that is already cancelled must not join: its cancellation handler has run
    /// already, and runs only once.
    private func join(
        _ key: String, _ id: Int, _ waiter: Waiter, _ work: @escaping @Sendable () async throws -> Value
    ) {
        let isCancelled = state.withLock { state in
            if Task.isCancelled { return true }
            var flight = state.flights[key] ?? Flight(id: id, task: start(key, id, work))
            flight.waiters[id] = waiter
            state.flights[key] = flight
            return false
        }
        if isCancelled { waiter.resume(throwing: CancellationError()) }
    }

    private func leave(_ key: String, _ id: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[key]?.waiters.removeValue(forKey: id) else { return (nil, nil) }
            guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }

    /// The task is unstructured, because it must outlive the first waiter. It ends when the last waiter leaves.
    private func start(
        _ key: String, _ id: Int, _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Void, Never> {
        Task { [self] in
            do {
                finish(key, id, .success(try await work()))
            } catch {
                finish(key, id, .failure(error))
            }
        }
    }

    private func finish(_ key: String, _ id: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.flights[key]?.id == id, let flight = state.flights.removeValue(forKey: key) else { return [] }
            return Array(flight.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
