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
