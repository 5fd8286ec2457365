import Synchronization

/// Limits how many replays read and encode missed events at the same time, however many clients return at once.
///
/// A replay takes a turn for each batch of events, and has none while its client reads them, so a client that does not
/// read delays nobody else. Turns rotate between the owners of the streams, so one that has many replays delays only
/// itself.
package final class ReplayLimiter: Sendable {
    private typealias Continuation = CheckedContinuation<Bool, Never>

    private struct State {
        var running = 0
        var waiting = FairQueue<StreamQuota.Owner, Continuation>()
    }

    private let maximumRunning: Int
    private let state = Mutex(State())

    package init(maximumRunning: Int) { self.maximumRunning = max(1, maximumRunning) }

    /// The number of replays whose turn it is.
    package var running: Int { state.withLock { $0.running } }
    /// The number of replays that wait for their turn.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when it is the replay's turn.
    /// - Parameters:
    ///   - replay: A number that tells it apart from all other replays.
    ///   - owner: The owner of the stream.
    ///   - isNeeded: Whether the stream still exists. Asked once the replay waits, so that a call of ``cancel(_:of:)``
    ///     before that is not missed.
    /// - Returns: `nil` if the replay was cancelled while it waited.
    package func run<Value>(
        _ replay: UInt64, of owner: StreamQuota.Owner, while isNeeded: () -> Bool, _ body: () async throws -> Value
    ) async rethrows -> Value? {
        guard await enter(replay, of: owner, while: isNeeded) else { return nil }
        defer { leave() }
        return try await body()
    }

    /// Ends the wait of a replay whose stream has ended. Has no effect if it does not wait.
    package func cancel(_ replay: UInt64, of owner: StreamQuota.Owner) {
        state.withLock { $0.waiting.remove(replay, of: owner) }?.resume(returning: false)
    }

    private func enter(_ replay: UInt64, of owner: StreamQuota.Owner, while isNeeded: () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.running >= maximumRunning else {
                    state.running += 1
                    return true
                }
                state.waiting.append(continuation, number: replay, of: owner)
                return false
            }
            if isFree {
                continuation.resume(returning: true)
            } else if !isNeeded() {
                cancel(replay, of: owner)
            }
        }
    }

    /// Passes the turn to the next replay, or frees its place.
    private func leave() {
        let next = state.withLock { state -> Continuation? in
            let next = state.waiting.next()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume(returning: true)
    }
}
