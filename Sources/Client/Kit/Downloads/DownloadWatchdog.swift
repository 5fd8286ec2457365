import Synchronization

/// Detects that a server has stopped sending. Only time spent waiting for the network counts, not for the disk.
final class DownloadWatchdog: Sendable {
    private let waitingSince = Mutex<ContinuousClock.Instant?>(nil)

    /// Must be called before waiting for the network.
    func start() { waitingSince.withLock { $0 = .now } }

    /// Must be called when data has arrived.
    func stop() { waitingSince.withLock { $0 = nil } }

    /// Runs `body`, and cancels it when it has waited for longer than `timeout`.
    /// - Throws: ``FeedClientError`` `.network` on a timeout, otherwise any error thrown by `body`.
    func run<Value: Sendable>(
        timeout: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await self.watch(timeout)
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }

    /// The cause of the error after a timeout.
    struct Stall: Error {}

    private func watch(_ timeout: Duration) async throws {
        while true {
            try await Task.sleep(for: min(timeout / 8, .seconds(1)))
            guard let start = waitingSince.withLock({ $0 }), ContinuousClock.now - start >= timeout else { continue }
            throw FeedClientError(
                .network, "The server has sent nothing for \(timeout.components.seconds) seconds",
                hint: "Run the same command again to resume.", cause: Stall())
        }
    }
}
