import Synchronization

/// Lets a limited number work at once; the others wait in line, and who is cancelled leaves the line.
final class RequestSlots: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var free: Int
        var lastNumber = 0
        var line: [(number: Int, waiter: Waiter)] = []

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

    /// Waits for a free slot. Who got one must ``give()`` it back.
    /// - Throws: `CancellationError`; then there is nothing to give back.
    func take() async throws {
        let number = state.withLock { $0.nextNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                enter(number, waiter)
            }
        } onCancel: {
            leave(number)
        }
    }

    func give() {
        let next = state.withLock { state -> Waiter? in
            if !state.line.isEmpty { return state.line.removeFirst().waiter }
            state.free += 1
            return nil
        }
        next?.resume()
    }

    private func enter(_ number: Int, _ waiter: Waiter) {
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.free > 0 {
                state.free -= 1
                return .success(())
            }
            state.line.append((number: number, waiter: waiter))
            return nil
        }
        if let outcome { waiter.resume(with: outcome) }
    }

    private func leave(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.line.firstIndex(where: { $0.number == number }) else { return nil }
            return state.line.remove(at: index).waiter
        }
        waiter?.resume(throwing: CancellationError())
    }
}
