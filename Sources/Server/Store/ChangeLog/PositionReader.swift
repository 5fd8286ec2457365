import FeedCore
import Synchronization

/// Reads the position of the log for many requests with few queries: all requests that arrive while a query runs share the
/// next one, which therefore sees everything committed before they arrived.
final class PositionReader: Sendable {
    private enum Turn: Sendable {
        /// The shared query has been run.
        case isDone
        /// Runs the query for itself and for these.
        case leads([CheckedContinuation<Turn, any Error>])
    }

    private struct State {
        var isRunning = false
        var waiting: [CheckedContinuation<Turn, any Error>] = []
    }

    private let state = Mutex(State())

    /// Returns after a query that began after the call.
    func read(_ query: @Sendable () async throws -> Void) async throws {
        var turn = Turn.leads([])
        if !begin() {
            turn = try await withCheckedThrowingContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.isRunning else {
                        state.isRunning = true
                        return true
                    }
                    state.waiting.append(continuation)
                    return false
                }
                if isFree { continuation.resume(returning: .leads([])) }
            }
        }
        guard case .leads(let others) = turn else { return }
        defer { passOn() }
        do {
            try await query()
            for other in others { other.resume(returning: .isDone) }
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

    /// The first of those that wait runs the next query.
    private func passOn() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isRunning = !state.waiting.isEmpty
            return state.waiting
        }
        waiting.first?.resume(returning: .leads(Array(waiting.dropFirst())))
    }
}
