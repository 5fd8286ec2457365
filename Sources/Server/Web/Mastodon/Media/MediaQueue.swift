import Synchronization

/// Runs the processing that may continue after the response to an upload.
package final class MediaQueue: Sendable {
    private let jobs: AsyncStream<MediaJob>
    private let continuation: AsyncStream<MediaJob>.Continuation
    /// The time that `/api/v2/media` waits for the processing before it responds.
    let responseTime: Duration

    package init(responseTime: Duration = .seconds(1)) {
        self.responseTime = responseTime
        (jobs, continuation) = AsyncStream.makeStream()
    }

    /// Runs all jobs until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job.run() } }
        }
    }

    func add(_ job: MediaJob) { continuation.yield(job) }
}

/// The processing of one upload.
final class MediaJob: Sendable {
    typealias Outcome = Result<MediaOutcome, any Error>

    private struct State {
        var outcome: Outcome?
        /// Called with the outcome once nobody waits for it any more.
        var late: (@Sendable (Outcome) async -> Void)?
    }

    private let process: @Sendable () async throws -> MediaOutcome
    private let state = Mutex(State())
    private let signal: AsyncStream<Void>
    private let done: AsyncStream<Void>.Continuation

    init(_ process: @Sendable @escaping () async throws -> MediaOutcome) {
        self.process = process
        (signal, done) = AsyncStream.makeStream()
    }

    fileprivate func run() async {
        let outcome: Outcome
        do { outcome = .success(try await process()) } catch { outcome = .failure(error) }
        let late = state.withLock { state in
            state.outcome = outcome
            return state.late
        }
        done.finish()
        await late?(outcome)
    }

    /// Waits for the outcome. May be called once.
    /// - Returns: `nil` if the processing takes longer than `limit`.
    func outcome(within limit: Duration) async -> Outcome? {
        await withDiscardingTaskGroup { group in
            group.addTask { [done] in
                // Ends early when the processing is done.
                try? await Task.sleep(for: limit)
                done.finish()
            }
            for await _ in signal {}
            group.cancelAll()
        }
        return state.withLock { $0.outcome }
    }

    /// Passes the outcome to `body` when it is available.
    /// - Returns: The outcome, if it is available already; `body` is not called then.
    func handOver(_ body: @Sendable @escaping (Outcome) async -> Void) -> Outcome? {
        state.withLock { state in
            if let outcome = state.outcome { return outcome }
            state.late = body
            return nil
        }
    }
}
