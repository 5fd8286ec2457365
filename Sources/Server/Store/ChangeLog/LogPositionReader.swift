import FeedCore
import Synchronization

/// Reads the position of the change log for many requests with few queries. All requests that arrive during a query
/// share the next query, which therefore sees all changes that were committed before they arrived.
final class LogPositionReader: Sendable {
    private enum Signal: Sendable {
        /// The shared query has completed.
        case finished
        /// The request runs the query for itself and for the given requests.
        case runQuery(for: [CheckedContinuation<Signal, any Error>])
    }

    private struct State {
        var isRunning = false
        var waiting: [CheckedContinuation<Signal, any Error>] = []
    }

    private let state = Mutex(State())

    /// Returns once a query that started after this call has completed.
    func read(_ query: @Sendable () async throws -> Void) async throws {
        var signal = Signal.runQuery(for: [])
        if !begin() {
            signal = try await withCheckedThrowingContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.isRunning else {
                        state.isRunning = true
                        return true
                    }
                    state.waiting.append(continuation)
                    return false
                }
                if isFree { continuation.resume(returning: .runQuery(for: [])) }
            }
        }
        guard case .runQuery(for: let others) = signal else { return }
        defer { startNextQuery() }
        do {
            try await query()
            for other in others { other.resume(returning: .finished) }
        } catch {
            for other in others { other.resume(throwing: error) }
            throw error
        }
    }

    private func begin() -> Bool {
        state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Makes the first waiting request run the next query on behalf of all waiting requests.
    private func startNextQuery() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isRunning = !state.waiting.isEmpty
            return state.waiting
        }
        waiting.first?.resume(returning: .runQuery(for: Array(waiting.dropFirst())))
    }
}
