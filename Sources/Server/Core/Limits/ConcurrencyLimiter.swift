import Synchronization

/// Limits the expensive work that runs concurrently, per account or client network and in total.
///
/// Work above the limit of its owner waits, so a client that sends many requests delays only itself. Above the total,
/// work is refused at once, so that the other is done in time, or it waits too, and the owners take turns
/// (``ConcurrencyLimits/waitsForOthers``).
package final class ConcurrencyLimiter: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private let state: Mutex<FairQueue<Continuation>>
    private let lastID = Atomic<UInt64>(0)

    package init(_ limits: ConcurrencyLimits) { state = Mutex(FairQueue(limits)) }

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

/// Counts open connections, in total and per client network, and decides whether to serve another one. A pure state
/// machine, whose memory is bounded by the number of open connections.
package struct ConnectionCounter: Sendable {
    /// The decision for a new connection.
    package enum Decision: Sendable, Equatable {
        case serve
        /// Send a response that says why, then close.
        case refuse(Reason)
        /// Close at once: too many connections are being refused already.
        case close(Reason)
    }

    /// The exceeded limit.
    package enum Reason: String, Sendable {
        case total = "all connections are in use"
        case address = "too many connections from one address"
    }

    private let limits: ConnectionLimits
    private var served = 0
    private var refusing = 0
    private var perNetwork: [String: Int] = [:]

    package init(limits: ConnectionLimits) { self.limits = limits }

    /// The number of connections that are served.
    package var count: Int { served }

    /// The number of client networks with connections.
    package var networks: Int { perNetwork.count }

    /// Counts a new connection.
    /// - Parameter network: The ``ClientNetwork``; `nil` for a trusted proxy, which counts in total only.
    package mutating func open(_ network: String?) -> Decision {
        guard let reason = excess(network) else {
            served += 1
            if let network { perNetwork[network, default: 0] += 1 }
            return .serve
        }
        guard refusing < limits.refusals else { return .close(reason) }
        refusing += 1
        return .refuse(reason)
    }

    /// Counts the end of a connection for which ``open(_:)`` returned `decision`.
    package mutating func close(_ network: String?, _ decision: Decision) {
        switch decision {
        case .serve:
            served -= 1
            guard let network, let count = perNetwork[network] else { return }
            perNetwork[network] = count > 1 ? count - 1 : nil
        case .refuse: refusing -= 1
        case .close: break
        }
    }

    private func excess(_ network: String?) -> Reason? {
        let free = limits.total - served
        guard free > 0 else { return .total }
        guard let network, perNetwork[network, default: 0] >= limits.perAddress(free: free) else { return nil }
        return .address
    }
}
