import NIOPosix

/// Threads for calls that block: the disk must hold up neither an event loop nor Swift's own threads.
enum DiskThreads {
    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 8)
        pool.start()
        return pool
    }()

    /// Runs `body` to its end, also when the task is cancelled: a write that was begun is one that has to be counted.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            pool.submit { _ in continuation.resume(with: Result { try body() }) }
        }
    }
}
