import Synchronization

/// Limits the number of expensive requests per client that run concurrently; further requests of the same client wait
/// in a queue. A client that sends many requests thus delays only itself.
package final class ConcurrencyLimiter: Sendable {
    /// The running and waiting requests of one client.
    private struct Queue {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The number of continuations at the front of `waiting` that have been resumed.
        var served = 0
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let queues = Mutex<[RateKey: Queue]>([:])

    /// - Parameters:
    ///   - maximumRunning: The maximum number of running requests per client.
    ///   - maximumWaiting: The maximum number of waiting requests per client.
    package init(maximumRunning: Int = 4, maximumWaiting: Int = 1000) {
        self.maximumRunning = maximumRunning
        self.maximumWaiting = maximumWaiting
    }

    /// Runs `body` as soon as the client has a free slot.
    /// - Throws: ``FeedError`` `.unavailable` if too many requests of the client are waiting, and any error thrown by
    ///   `body`.
    package func run<Value>(_ client: RateKey, _ body: () async throws -> Value) async throws -> Value {
        guard enter(client) else {
            try await wait(client)
            defer { leave(client) }
            return try await body()
        }
        defer { leave(client) }
        return try await body()
    }

    private func enter(_ client: RateKey) -> Bool {
        queues.withLock { queues in
            guard queues[client, default: Queue()].running < maximumRunning else { return false }
            queues[client, default: Queue()].running += 1
            return true
        }
    }

    private func wait(_ client: RateKey) async throws {
        let isFull = queues.withLock { queues in
            queues[client].map { $0.waiting.count - $0.served >= maximumWaiting } ?? false
        }
        guard !isFull else {
            throw FeedError(
                .unavailable, "Too many concurrent requests", hint: "Send fewer requests at a time.", retryAfter: 1)
        }
        await withCheckedContinuation { continuation in
            let isFree = queues.withLock { queues in
                // A slot may have become free since the call to `enter`.
                guard queues[client, default: Queue()].running >= maximumRunning else {
                    queues[client, default: Queue()].running += 1
                    return true
                }
                queues[client, default: Queue()].waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Passes the slot to the next waiting request, or frees it.
    private func leave(_ client: RateKey) {
        let next = queues.withLock { queues -> CheckedContinuation<Void, Never>? in
            guard var queue = queues[client] else { return nil }
            if queue.served < queue.waiting.count {
                defer { queues[client] = queue }
                queue.served += 1
                let next = queue.waiting[queue.served - 1]
                if queue.served > 64 {
                    queue.waiting.removeFirst(queue.served)
                    queue.served = 0
                }
                return next
            }
            queue.running -= 1
            queues[client] = queue.running > 0 ? queue : nil
            return nil
        }
        next?.resume()
    }
}
