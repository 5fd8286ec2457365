import NIOPosix

/// Threads for blocking calls: disk I/O must delay neither an event loop nor the cooperative thread pool.
enum DiskThreads {
    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 8)
        pool.start()
        return pool
    }()

    /// Runs `body` to completion even if the task is cancelled, because a write that has started must be recorded.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            pool.submit { _ in continuation.resume(with: Result { try body() }) }
        }
    }
}
