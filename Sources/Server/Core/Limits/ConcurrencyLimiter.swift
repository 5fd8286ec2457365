import Synchronization

/// Limits the number of expensive requests per client that run concurrently; further requests of the same client wait
/// in a queue. A client that sends many requests thus delays only itself. When the requests of very many clients are
/// running, further ones fail at once, so that the others are answered in time.
package final class ConcurrencyLimiter: Sendable {
    /// The running and waiting requests of one client.
    private struct Queue {
        var running = 0
        var waiting = FIFOQueue<CheckedContinuation<Void, any Error>>()
    }

    private struct State {
        var queues: [RateKey: Queue] = [:]
        /// The running requests of all clients.
        var running = 0

        mutating func start(_ client: RateKey) {
            queues[client, default: Queue()].running += 1
            running += 1
        }
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let maximumTotal: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumRunning: The maximum number of running requests per client.
    ///   - maximumWaiting: The maximum number of waiting requests per client.
    ///   - maximumTotal: The maximum number of running requests of all clients.
    package init(maximumRunning: Int = 4, maximumWaiting: Int = 1000, maximumTotal: Int = 2000) {
        self.maximumRunning = maximumRunning
        self.maximumWaiting = maximumWaiting
        self.maximumTotal = maximumTotal
    }

    /// Runs `body` as soon as the client has a free slot.
    /// - Throws: ``FeedError`` `.unavailable` if too many requests of the client are waiting or too many of all clients
    ///   are running, and any error thrown by `body`.
    package func run<Value>(_ client: RateKey, _ body: () async throws -> Value) async throws -> Value {
        guard try enter(client) else {
            try await wait(client)
            defer { leave(client) }
            return try await body()
        }
        defer { leave(client) }
        return try await body()
    }

    private func enter(_ client: RateKey) throws -> Bool {
        try state.withLock { state in
            guard state.queues[client]?.running ?? 0 < maximumRunning else { return false }
            guard state.running < maximumTotal else {
                throw FeedError(
                    .unavailable, "The server is busy", hint: "Try again in a few seconds.", retryAfter: 2)
            }
            state.start(client)
            return true
        }
    }

    private func wait(_ client: RateKey) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state -> Result<Void, any Error>? in
                // A slot may have become free since the call to `enter`.
                guard state.queues[client]?.running ?? 0 >= maximumRunning else {
                    state.start(client)
                    return .success(())
                }
                guard state.queues[client]?.waiting.count ?? 0 < maximumWaiting else { return .failure(Self.refusal) }
                state.queues[client, default: Queue()].waiting.append(continuation)
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    private static var refusal: FeedError {
        FeedError(
            .unavailable, "Too many concurrent requests", hint: "Send fewer requests at a time.", retryAfter: 1)
    }

    /// Passes the slot to the next waiting request, or frees it.
    private func leave(_ client: RateKey) {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            if let next = state.queues[client]?.waiting.next() { return next }
            guard var queue = state.queues[client] else { return nil }
            queue.running -= 1
            state.running -= 1
            state.queues[client] = queue.running > 0 ? queue : nil
            return nil
        }
        next?.resume()
    }
}
