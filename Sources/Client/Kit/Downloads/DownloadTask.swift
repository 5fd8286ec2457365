import Synchronization

/// A download in a ``DownloadQueue``.
public final class DownloadTask: Sendable, Identifiable {
    private enum Completion {
        case pending([CheckedContinuation<DownloadResult, any Error>])
        case completed(Result<DownloadResult, any Error>)
    }

    public let id: Int
    /// The latest progress, until the download ends. Only one task may iterate over it.
    public let progress: AsyncStream<DownloadProgress>
    let report: AsyncStream<DownloadProgress>.Continuation
    private let queue: DownloadQueue
    private let completion = Mutex(Completion.pending([]))

    init(_ id: Int, in queue: DownloadQueue) {
        self.id = id
        self.queue = queue
        (progress, report) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Stops the download, so that others can run. If the server supports it, the download resumes where it stopped.
    public func pause() async { await queue.pause(id) }

    /// Puts a paused download back into the queue.
    public func resume() async { await queue.resume(id) }

    /// Ends the download. The downloaded bytes stay on disk, so that another download of the same file can resume.
    public func cancel() async { await queue.cancel(id) }

    /// Changes when a waiting download starts.
    public func setPriority(_ priority: DownloadPriority) async { await queue.setPriority(id, priority) }

    /// The result, once the download has ended.
    /// - Throws: ``FeedClientError``; `CancellationError` if the download was cancelled or its queue has ended.
    public var result: DownloadResult {
        get async throws {
            try await withCheckedThrowingContinuation { waiter in
                let result = completion.withLock { completion -> Result<DownloadResult, any Error>? in
                    switch completion {
                    case .completed(let result): return result
                    case .pending(let waiters):
                        completion = .pending(waiters + [waiter])
                        return nil
                    }
                }
                if let result { waiter.resume(with: result) }
            }
        }
    }

    func complete(with result: Result<DownloadResult, any Error>) {
        let waiters = completion.withLock { completion -> [CheckedContinuation<DownloadResult, any Error>] in
            guard case .pending(let waiters) = completion else { return [] }
            completion = .completed(result)
            return waiters
        }
        report.finish()
        for waiter in waiters { waiter.resume(with: result) }
    }
}

/// The state of a download in a queue. Each transition returns the action to perform.
enum DownloadTaskState: Sendable, Equatable {
    case waiting, running, paused, finished
    /// The download was asked to stop, but is still running.
    case stopping(then: Next)

    enum Next: Sendable { case pause, requeue, finish }

    enum Action: Sendable, Equatable { case nothing, enqueue, dequeue, stop, finish }

    mutating func pause() -> Action {
        switch self {
        case .waiting: transition(to: .paused, .dequeue)
        case .running: transition(to: .stopping(then: .pause), .stop)
        case .stopping(.requeue): transition(to: .stopping(then: .pause), .nothing)
        case .paused, .finished, .stopping: .nothing
        }
    }

    mutating func resume() -> Action {
        switch self {
        case .paused: transition(to: .waiting, .enqueue)
        case .stopping(.pause): transition(to: .stopping(then: .requeue), .nothing)
        case .waiting, .running, .finished, .stopping: .nothing
        }
    }

    mutating func cancel() -> Action {
        switch self {
        case .waiting, .paused: transition(to: .finished, .finish)
        case .running: transition(to: .stopping(then: .finish), .stop)
        case .stopping: transition(to: .stopping(then: .finish), .nothing)
        case .finished: .nothing
        }
    }

    mutating func start() { self = .running }

    /// Records that the download has ended.
    /// - Parameter wasStopped: Whether the download ended because it was asked to stop. `false` if it finished first;
    ///   that result is used.
    mutating func ended(wasStopped: Bool) -> Action {
        switch self {
        case .stopping(.pause) where wasStopped: transition(to: .paused, .dequeue)
        case .stopping(.requeue) where wasStopped: transition(to: .waiting, .enqueue)
        default: transition(to: .finished, .finish)
        }
    }

    private mutating func transition(to state: DownloadTaskState, _ action: Action) -> Action {
        self = state
        return action
    }
}
