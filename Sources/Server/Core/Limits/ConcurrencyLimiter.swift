import Synchronization

/// Limits the expensive work that runs concurrently, per account or client network and in total.
///
/// Work above the limit of its owner waits, so a client that sends many requests delays only itself. Above the total,
/// work is refused at once, so that the other is done in time, or it waits too, and the owners take turns
/// (``ConcurrencyLimits/waitsForOthers``).
package final class ConcurrencyLimiter: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private let state: Mutex<ConcurrencyState<Continuation>>
    private let lastID = Atomic<UInt64>(0)

    package init(_ limits: ConcurrencyLimits) { state = Mutex(ConcurrencyState(limits)) }

    /// The work that runs, of all owners.
    package var running: Int { state.withLock { $0.running } }
    /// The work that waits, of all owners.
    package var waiting: Int { state.withLock { $0.waiting } }

    /// Starts work without waiting. A call that returns `true` must be followed by one of ``leave(_:)``.
    package func tryEnter(_ owner: RateKey) -> Bool { state.withLock { $0.tryEnter(owner) } }

    /// Ends work, and starts the one that is next.
    package func leave(_ owner: RateKey) { state.withLock { $0.leave(owner) }?.resume() }

    /// Ends the wait of work, which then throws `CancellationError`. Has no effect on work that does not wait.
    package func cancel(_ owner: RateKey, id: UInt64) {
        state.withLock { $0.cancel(owner, id) }?.resume(throwing: CancellationError())
    }

    /// Runs `body` as soon as the limits permit it.
    /// - Parameters:
    ///   - id: A number for ``cancel(_:id:)``, with which no other work of the limiter waits; `nil` for all work of a
    ///     limiter whose work is cancelled with its tasks only.
    ///   - isNeeded: Asked once the work waits, so that a call of ``cancel(_:id:)`` before that is not missed.
    /// - Throws: ``FeedError`` `.unavailable` if the work is refused, `CancellationError` if its wait or the task is
    ///   cancelled while it waits, and any error thrown by `body`.
    package func run<Value>(
        _ owner: RateKey, id: UInt64? = nil, while isNeeded: () -> Bool = { true }, _ body: () async throws -> Value
    ) async throws -> Value {
        if !tryEnter(owner) {
            try await enter(owner, id ?? lastID.add(1, ordering: .relaxed).newValue, while: isNeeded)
        }
        defer { leave(owner) }
        return try await body()
    }

    private func enter(_ owner: RateKey, _ id: UInt64, while isNeeded: () -> Bool) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch state.withLock({ $0.enter(owner, id, continuation) }) {
                case .start: continuation.resume()
                case .wait: if Task.isCancelled || !isNeeded() { cancel(owner, id: id) }
                case .refuseOwner: continuation.resume(throwing: Self.tooMany)
                case .refuseAll: continuation.resume(throwing: Self.busy)
                }
            }
        } onCancel: {
            cancel(owner, id: id)
        }
    }

    private static var tooMany: FeedError {
        FeedError(
            .unavailable, "Too many concurrent requests", hint: "Send fewer requests at a time.", retryAfter: 1)
    }

    private static var busy: FeedError {
        FeedError(.unavailable, "The server is busy", hint: "Try again in a few seconds.", retryAfter: 2)
    }
}
