import Synchronization

/// One download of a ``DownloadQueue``, from the outside.
public final class DownloadTask: Sendable, Identifiable {
    private enum Ending {
        case open([CheckedContinuation<DownloadResult, any Error>])
        case ended(Result<DownloadResult, any Error>)
    }

    public let id: Int
    /// How far it is: the newest state whenever one looks, until it ends. For one reader.
    public let progress: AsyncStream<DownloadProgress>
    let report: AsyncStream<DownloadProgress>.Continuation
    private let queue: DownloadQueue
    private let ending = Mutex(Ending.open([]))

    init(_ id: Int, of queue: DownloadQueue) {
        self.id = id
        self.queue = queue
        (progress, report) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Stops it and keeps what is there, as far as the server lets it be gone on with. It makes room for others.
    public func pause() async { await queue.pause(id) }

    /// Puts it back into the line.
    public func resume() async { await queue.resume(id) }

    /// Ends it. What was fetched stays beside its place, for another download of the same.
    public func cancel() async { await queue.cancel(id) }

    /// Lets it come earlier or later, as long as it waits.
    public func setPriority(_ priority: DownloadPriority) async { await queue.setPriority(id, priority) }

    /// Waits for the end.
    /// - Throws: ``FeedClientError``; `CancellationError` when it was cancelled, or its queue has ended.
    public var result: DownloadResult {
        get async throws {
            try await withCheckedThrowingContinuation { waiter in
                let result = ending.withLock { ending -> Result<DownloadResult, any Error>? in
                    switch ending {
                    case .ended(let result): return result
                    case .open(let waiters):
                        ending = .open(waiters + [waiter])
                        return nil
                    }
                }
                if let result { waiter.resume(with: result) }
            }
        }
    }

    func end(_ result: Result<DownloadResult, any Error>) {
        let waiters = ending.withLock { ending -> [CheckedContinuation<DownloadResult, any Error>] in
            guard case .open(let waiters) = ending else { return [] }
            ending = .ended(result)
            return waiters
        }
        report.finish()
        for waiter in waiters { waiter.resume(with: result) }
    }
}
