/// Runs a bounded number of downloads, by priority and with a limit per host. Create one with
/// ``FeedClient/withDownloads(_:_:)``.
public actor DownloadQueue {
    private struct Job {
        let task: DownloadTask
        let source: String
        /// As the caller chose it; once the download has started, the path of the file.
        var destination: String?
        var options: DownloadOptions
        var entry: QueueScheduler.Entry
        var state = DownloadTaskState.waiting
        var stop: AsyncStream<Void>.Continuation?
    }

    private let client: FeedClient
    private var scheduler: QueueScheduler
    private var jobs: [Int: Job] = [:]
    private var lastID = 0
    private var isClosed = false
    /// The downloads that were interrupted because the queue is suspended; `nil` while it is not.
    private var interrupted: Set<Int>?
    /// Signals that a download may be able to start.
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init(_ client: FeedClient, _ limits: DownloadLimits) {
        self.client = client
        scheduler = QueueScheduler(limits)
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a download to the queue.
    /// - Throws: ``FeedClientError`` if the queue is full or has ended, or if the source is not a valid address.
    public func add(
        _ source: String, to destination: String? = nil, options: DownloadOptions = DownloadOptions(),
        priority: DownloadPriority = .normal
    ) throws(FeedClientError) -> DownloadTask {
        guard !isClosed, jobs.count < scheduler.limits.unfinished else {
            throw FeedClientError(.failed, "The download queue is full", hint: "Wait until some downloads have ended.")
        }
        let url = try client.url(of: source)
        _ = try FeedClient.destination(of: url, at: destination)
        lastID += 1
        let task = DownloadTask(lastID, in: self)
        let entry = QueueScheduler.Entry(id: lastID, host: ServerAddress.origin(url) ?? url, priority: priority)
        jobs[lastID] = Job(task: task, source: source, destination: destination, options: options, entry: entry)
        perform(.enqueue, lastID)
        return task
    }

    /// Stops all downloads, and starts none until ``resume()``. What has been downloaded is kept.
    public func suspend() {
        guard interrupted == nil else { return }
        let running = jobs.filter { $0.value.state == .running }.keys
        interrupted = Set(running)
        for id in running { perform(jobs[id]?.state.pause(), id) }
    }

    /// Continues after ``suspend()``. Downloads that were paused one by one remain paused.
    public func resume() {
        let ids = interrupted ?? []
        interrupted = nil
        for id in ids.sorted() { resume(id) }
        change.yield()
    }

    func pause(_ id: Int) {
        interrupted?.remove(id)
        perform(jobs[id]?.state.pause(), id)
    }

    func resume(_ id: Int) { perform(jobs[id]?.state.resume(), id) }

    func cancel(_ id: Int) { perform(jobs[id]?.state.cancel(), id) }

    func setPriority(_ id: Int, _ priority: DownloadPriority) {
        jobs[id]?.entry.priority = priority
        scheduler.setPriority(id, priority)
    }

    /// Runs downloads until the task is cancelled; then all of them end, and can be resumed later.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in changes {
                while interrupted == nil, let id = scheduler.next(), let stops = start(id) {
                    group.addTask { await self.work(id, until: stops) }
                }
            }
        }
        isClosed = true
        for id in jobs.keys { finish(id, .failure(CancellationError())) }
    }

    private func start(_ id: Int) -> AsyncStream<Void>? {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        jobs[id]?.state.start()
        jobs[id]?.stop = stop
        return stops
    }

    private func work(_ id: Int, until stops: AsyncStream<Void>) async {
        guard let job = jobs[id] else { return }
        let client = client
        let result = await Self.result(until: stops) {
            try await client.download(job.source, to: await self.resolvedDestination(id, job), options: job.options) {
                job.task.report.yield($0)
            }
        }
        // A download that has started over resumes next time.
        let isUnfinished = jobs[id]?.destination.map { UnfinishedDownload.exists(at: $0) } ?? false
        jobs[id]?.options.restarts = job.options.restarts && !isUnfinished
        scheduler.remove(id)
        let wasStopped = if case .failure(let error) = result { error is CancellationError } else { false }
        perform(jobs[id]?.state.ended(wasStopped: wasStopped), id, result)
    }

    /// The path of the file, which stays the same when the download is resumed.
    private func resolvedDestination(_ id: Int, _ job: Job) async throws -> String {
        let path = try await client.destination(of: job.source, at: job.destination)
        jobs[id]?.destination = path
        return path
    }

    /// Runs `body` until it returns or `stops` delivers an element.
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
        _ action: DownloadTaskState.Action?, _ id: Int, _ result: Result<DownloadResult, any Error>? = nil
    ) {
        switch action {
        case nil, .nothing: break
        case .enqueue: if let job = jobs[id] { scheduler.enqueue(job.entry) }
        case .dequeue: scheduler.remove(id)
        case .stop: jobs[id]?.stop?.yield()
        case .finish: finish(id, result ?? .failure(CancellationError()))
        }
        change.yield()
    }

    private func finish(_ id: Int, _ result: Result<DownloadResult, any Error>) {
        scheduler.remove(id)
        jobs.removeValue(forKey: id)?.task.complete(with: result)
    }
}

extension FeedClient {
    /// Provides a download queue for the duration of `body`. Downloads that are still running when it returns are
    /// stopped and can be resumed later.
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

/// The limits of a ``DownloadQueue``.
public struct DownloadLimits: Sendable {
    /// The maximum number of downloads that run at the same time.
    public var running: Int
    /// The maximum number of downloads from one host that run at the same time.
    public var perHost: Int
    /// The maximum number of downloads that have not ended, including paused ones.
    public var unfinished: Int

    public init(running: Int = 4, perHost: Int = 2, unfinished: Int = 1000) {
        (self.running, self.perHost, self.unfinished) = (max(1, running), max(1, perHost), max(1, unfinished))
    }
}

/// The priority of a waiting download.
public enum DownloadPriority: Int, Sendable, Comparable, CaseIterable {
    case low, normal, high

    public static func < (left: DownloadPriority, right: DownloadPriority) -> Bool { left.rawValue < right.rawValue }
}

/// Chooses the next download: the highest priority first, then the oldest, within the limits.
struct QueueScheduler: Sendable {
    struct Entry: Sendable, Equatable {
        let id: Int
        let host: String
        var priority: DownloadPriority
    }

    let limits: DownloadLimits
    private var waiting: [Entry] = []
    /// The hosts of running downloads.
    private(set) var running: [Int: String] = [:]

    init(_ limits: DownloadLimits) { self.limits = limits }

    mutating func enqueue(_ entry: Entry) { waiting.append(entry) }

    /// Removes a download that waits or runs.
    mutating func remove(_ id: Int) {
        waiting.removeAll { $0.id == id }
        running[id] = nil
    }

    mutating func setPriority(_ id: Int, _ priority: DownloadPriority) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting[index].priority = priority
    }

    /// Takes the next download from the queue. It counts as running until it is removed.
    mutating func next() -> Int? {
        guard running.count < limits.running else { return nil }
        let ready = waiting.filter { entry in running.values.count { $0 == entry.host } < limits.perHost }
        guard let entry = ready.max(by: { ($0.priority, $1.id) < ($1.priority, $0.id) }) else { return nil }
        waiting.removeAll { $0.id == entry.id }
        running[entry.id] = entry.host
        return entry.id
    }
}
