import Synchronization

/// Notices that a server has stopped to send. Only the waiting for the network counts, not the time the disk takes.
final class StallClock: Sendable {
    private let since = Mutex<ContinuousClock.Instant?>(nil)

    func start() { since.withLock { $0 = .now } }

    func stop() { since.withLock { $0 = nil } }

    /// Runs `body`, and cancels it when it waits too long.
    /// - Throws: ``FeedClientError`` `.network` then.
    func watching<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await self.watch(limit)
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }

    private func watch(_ limit: Duration) async throws {
        while true {
            try await Task.sleep(for: min(limit / 8, .seconds(1)))
            guard let start = since.withLock({ $0 }), ContinuousClock.now - start >= limit else { continue }
            throw FeedClientError(
                .network, "The server has sent nothing for \(limit.components.seconds) seconds",
                hint: "Run the same command again to go on.")
        }
    }
}

/// Seconds since the program started, for rules that count time.
enum Seconds {
    private static let start = ContinuousClock.now

    static var now: Double { from(ContinuousClock.now - start) }

    static func from(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
