import Synchronization

/// Limits the number of tasks that use the same host at the same time.
final class HostLimit: Sendable {
    private struct Host {
        let semaphore: AsyncSemaphore
        /// The number of tasks that use the semaphore or wait for it.
        var users = 0
    }

    private let count: Int
    /// The hosts that are in use.
    private let hosts = Mutex<[String: Host]>([:])

    init(_ count: Int) { self.count = count }

    /// Performs `work` when fewer than the permitted number of tasks use `host`.
    /// - Throws: Any error thrown by `work`; `CancellationError`.
    func run<Value>(
        _ host: String, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
    ) async throws -> Value {
        let semaphore = enter(host)
        defer { leave(host) }
        try await semaphore.acquire()
        defer { semaphore.release() }
        return try await work()
    }

    private func enter(_ host: String) -> AsyncSemaphore {
        hosts.withLock { hosts in
            var entry = hosts[host] ?? Host(semaphore: AsyncSemaphore(count))
            entry.users += 1
            hosts[host] = entry
            return entry.semaphore
        }
    }

    private func leave(_ host: String) {
        hosts.withLock { hosts in
            guard var entry = hosts[host] else { return }
            entry.users -= 1
            hosts[host] = entry.users > 0 ? entry : nil
        }
    }
}
