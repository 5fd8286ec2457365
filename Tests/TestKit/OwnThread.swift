import Dispatch
package import Testing

/// Runs a test on a thread of its own, because it blocks for seconds: all other tests share as few threads as there are
/// processors.
package struct OwnThread: TestTrait, TestScoping {
    private final class Thread: TaskExecutor {
        private let queue = DispatchQueue(label: "test that blocks")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Thread()) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// For tests that block, such as on a lock.
    package static var onOwnThread: Self { OwnThread() }
}
