import Synchronization

/// Lets each client have a few expensive requests answered at once; its further ones wait their turn. So a client that asks
/// for much over many connections waits for itself, and others find the database free.
package final class ConcurrencyLimiter: Sendable {
    /// What one client has running and waiting.
    private struct Queue {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// How many at the front of `waiting` have had their turn.
        var served = 0
    }

    private let atOnce: Int
    private let inLine: Int
    private let queues = Mutex<[RateKey: Queue]>([:])

    /// - Parameters:
    ///   - atOnce: Requests of one client that run at the same time.
    ///   - inLine: Requests of one client that may wait.
    package init(atOnce: Int = 4, inLine: Int = 1000) {
        self.atOnce = atOnce
        self.inLine = inLine
    }

    /// Runs `body` when it is the client's turn.
    /// - Throws: ``FeedError`` `.unavailable` when too many of its requests wait already, and what `body` throws.
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
            guard queues[client, default: Queue()].running < atOnce else { return false }
            queues[client, default: Queue()].running += 1
            return true
        }
    }

    private func wait(_ client: RateKey) async throws {
        let isFull = queues.withLock { queues in
            queues[client].map { $0.waiting.count - $0.served >= inLine } ?? false
        }
        guard !isFull else {
            throw FeedError(.unavailable, "Too many requests at once", hint: "Send fewer at a time.", retryAfter: 1)
        }
        await withCheckedContinuation { continuation in
            let isFree = queues.withLock { queues in
                // Somebody may have left in between.
                guard queues[client, default: Queue()].running >= atOnce else {
                    queues[client, default: Queue()].running += 1
                    return true
                }
                queues[client, default: Queue()].waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Hands the turn on.
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
