import FeedCore
import Synchronization

/// Limits the number of processes that run at the same time. A bounded number of others wait in the order of arrival.
package final class ProcessSlots: Sendable {
    private struct State {
        var running = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var nextID = 0
        /// Callers that were cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    /// The decision for a caller that wants to run.
    private enum Admission {
        case run
        case wait(id: Int)
        case refuse
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let state = Mutex(State())

    package init(maximumRunning: Int, maximumWaiting: Int) {
        self.maximumRunning = max(1, maximumRunning)
        self.maximumWaiting = maximumWaiting
    }

    /// The number of waiting callers.
    package var waiting: Int { state.withLock { $0.waiting.count } }
    package var running: Int { state.withLock { $0.running } }

    /// Runs `body` as soon as there is a free slot.
    /// - Throws: ``FeedError`` `.unavailable` if too many wait, `CancellationError`, and any error thrown by `body`.
    package func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        switch admit() {
        case .run: break
        case .wait(let id): try await wait(id)
        case .refuse:
            throw FeedError(
                .unavailable, "Too many images are being processed", hint: "Try again in a few seconds.", retryAfter: 5)
        }
        defer { leave() }
        return try await body()
    }

    private func admit() -> Admission {
        state.withLock { state in
            if state.running < maximumRunning {
                state.running += 1
                return .run
            }
            guard state.waiting.count < maximumWaiting else { return .refuse }
            state.nextID += 1
            return .wait(id: state.nextID)
        }
    }

    private func wait(_ id: Int) async throws {
        let hasSlot = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.cancelled.remove(id) != nil { return false }
                    // A slot may have become free since the call to `admit`.
                    guard state.running >= maximumRunning else {
                        state.running += 1
                        return true
                    }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            cancel(id)
        }
        // If it was cancelled at the moment at which it got its slot, it runs, and `body` notices.
        state.withLock { _ = $0.cancelled.remove(id) }
        guard hasSlot else { throw CancellationError() }
    }

    private func cancel(_ id: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(returning: false)
    }

    /// Passes the slot on, or frees it.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.running -= 1
            return nil
        }
        next?.resume(returning: true)
    }
}
