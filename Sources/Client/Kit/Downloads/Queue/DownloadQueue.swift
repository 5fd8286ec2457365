/// Downloads that wait for their turn: bounded, by priority, a few per host. Made by ``FeedClient/withDownloads(_:_:)``.
public actor DownloadQueue {
    private struct Job {
        let task: DownloadTask
        let source: String
        let destination: String
        var options: DownloadOptions
        var entry: DownloadLine.Entry
        var phase = DownloadPhase.waiting
        var stop: AsyncStream<Void>.Continuation?
    }

    private let client: FeedClient
    private var line: DownloadLine
    private var jobs: [Int: Job] = [:]
    private var lastID = 0
    private var isClosed = false
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(_ client: FeedClient, _ limits: DownloadLimits) {
        self.client = client
        line = DownloadLine(limits)
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts a download into the line.
    /// - Throws: ``FeedClientError`` when the queue is full or has ended, or the source is no address.
    public func add(
        _ source: String, to destination: String? = nil, options: DownloadOptions = DownloadOptions(),
        priority: DownloadPriority = .normal
    ) throws(FeedClientError) -> DownloadTask {
        guard !isClosed, jobs.count < line.limits.unfinished else {
            throw FeedClientError(.failed, "The queue takes no more downloads", hint: "Wait until some are done.")
        }
        let url = try client.url(of: source)
        let place = try FeedClient.destination(of: url, at: destination)
        lastID += 1
        let task = DownloadTask(lastID, of: self)
        let entry = DownloadLine.Entry(id: lastID, host: ServerAddress.origin(url) ?? url, priority: priority)
        jobs[lastID] = Job(task: task, source: url, destination: place, options: options, entry: entry)
        perform(.join, lastID)
        return task
    }

    func pause(_ id: Int) { perform(jobs[id]?.phase.pause(), id) }

    func resume(_ id: Int) { perform(jobs[id]?.phase.resume(), id) }

    func cancel(_ id: Int) { perform(jobs[id]?.phase.cancel(), id) }

    func setPriority(_ id: Int, _ priority: DownloadPriority) {
        jobs[id]?.entry.priority = priority
        line.setPriority(id, priority)
    }

    /// Works until it is cancelled; then every download ends, with what is durable kept.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in wakes {
                while let id = line.next(), let stops = start(id) {
                    group.addTask { await self.work(id, until: stops) }
                }
            }
        }
        isClosed = true
        for id in jobs.keys { end(id, .failure(CancellationError())) }
    }

    private func start(_ id: Int) -> AsyncStream<Void>? {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        jobs[id]?.phase.start()
        jobs[id]?.stop = stop
        return stops
    }

    private func work(_ id: Int, until stops: AsyncStream<Void>) async {
        guard let job = jobs[id] else { return }
        let client = client
        let result = await Self.result(until: stops) {
            try await client.download(job.source, to: job.destination, options: job.options) {
                job.task.report.yield($0)
            }
        }
        // What it began anew it need not begin anew once more.
        jobs[id]?.options.restarts = job.options.restarts && (try? FeedClient.unfinished(job.destination)) == nil
        line.leave(id)
        let wasStopped = if case .failure(let error) = result { error is CancellationError } else { false }
        perform(jobs[id]?.phase.stopped(wasStopped), id, result)
    }

    /// Runs `body` until it ends or somebody says stop.
    private static func result(
        until stops: AsyncStream<Void>, _ body: @escaping @Sendable () async throws -> DownloadResult
    ) async -> Result<DownloadResult, any Error> {
        await withTaskGroup(of: Result<DownloadResult, any Error>?.self) { group in
            group.addTask {
                do { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                for await _ in stops { break }
                return nil
            }
            for await result in group {
                group.cancelAll()
                if let result { return result }
            }
            return .failure(CancellationError())
        }
    }

    private func perform(
        _ action: DownloadPhase.Action?, _ id: Int, _ result: Result<DownloadResult, any Error>? = nil
    ) {
        switch action {
        case nil, .nothing: break
        case .join: if let job = jobs[id] { line.join(job.entry) }
        case .leave: line.leave(id)
        case .stop: jobs[id]?.stop?.yield()
        case .end: end(id, result ?? .failure(CancellationError()))
        }
        wake.yield()
    }

    private func end(_ id: Int, _ result: Result<DownloadResult, any Error>) {
        line.leave(id)
        jobs.removeValue(forKey: id)?.task.end(result)
    }
}

extension FeedClient {
    /// Lends a queue of downloads; at the end of `body` those that still run are stopped, with what is durable kept.
    public func withDownloads<Value: Sendable>(
        _ limits: DownloadLimits = DownloadLimits(),
        _ body: @escaping @Sendable (DownloadQueue) async throws -> Value
    ) async throws -> Value {
        let queue = DownloadQueue(self, limits)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                await queue.run()
                return nil
            }
            group.addTask { try await body(queue) }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }
}
