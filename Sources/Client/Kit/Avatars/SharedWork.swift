import Synchronization

/// One piece of work for all who ask for the same thing at the same time. It is counted by reference: who no longer waits
/// leaves without disturbing the others, and when the last one leaves the work is cancelled.
///
/// Every waiter is resumed exactly once, since whoever takes it out of the list (under the lock) resumes it.
final class SharedWork<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Flight {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Int: Waiter] = [:]
    }

    private struct State {
        var flights: [String: Flight] = [:]
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Mutex(State())

    /// The value for `key`: by work that is under way, or by `work`.
    /// - Throws: What the work throws, or `CancellationError` when the asking task is cancelled.
    func value(for key: String, work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let number = state.withLock { $0.nextNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Value, any Error>) in
                join(key, number, waiter, work)
            }
        } onCancel: {
            leave(key, number)
        }
    }

    /// How many wait for `key`.
    func waiting(for key: String) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

    /// Cancels all work and tells everybody who waits.
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

    /// Who is cancelled before it is in the list is never put there: `leave` has come already, and comes only once.
    private func join(
        _ key: String, _ number: Int, _ waiter: Waiter, _ work: @escaping @Sendable () async throws -> Value
    ) {
        let isCancelled = state.withLock { state in
            if Task.isCancelled { return true }
            var flight = state.flights[key] ?? Flight(number: number, task: start(key, number, work))
            flight.waiters[number] = waiter
            state.flights[key] = flight
            return false
        }
        if isCancelled { waiter.resume(throwing: CancellationError()) }
    }

    private func leave(_ key: String, _ number: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[key]?.waiters.removeValue(forKey: number) else { return (nil, nil) }
            guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }

    /// A task of its own, since the work must outlive the one who asked first. It ends when nobody waits any more.
    private func start(
        _ key: String, _ number: Int, _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Void, Never> {
        Task { [self] in
            do {
                finish(key, number, .success(try await work()))
            } catch {
                finish(key, number, .failure(error))
            }
        }
    }

    private func finish(_ key: String, _ number: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.flights[key]?.number == number, let flight = state.flights.removeValue(forKey: key) else {
                return []
            }
            return Array(flight.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
