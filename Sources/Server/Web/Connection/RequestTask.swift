import CoreMetrics
import FeedCore
import NIOCore
import Synchronization

/// The task of a request. The only place that starts one.
enum RequestTask {
    private static let aborted = Counter(label: MetricName.abortedResponses.rawValue)

    /// Starts a task on the event loop of the connection: a hop to a thread pool and back costs more than most responses.
    /// It writes the response to the channel as ``ResponsePart``.
    static func start(
        _ work: @escaping @Sendable () async -> Response, on channel: any Channel, tasks: OpenTasks
    ) -> Task<Void, Never> {
        tasks.begin()
        return Task(executorPreference: EventLoopTasks(channel.eventLoop)) {
            await write(await work(), to: channel)
            tasks.end()
        }
    }

    private static func write(_ response: Response, to channel: any Channel) async {
        channel.writeAndFlush(ResponsePart.response(response)).whenFailure { _ in aborted.increment() }
        guard case .written(let body) = response.body.content else { return }
        do {
            try await body(ResponseWriter(channel: channel))
            channel.writeAndFlush(ResponsePart.end, promise: nil)
        } catch {
            aborted.increment()
            channel.writeAndFlush(ResponsePart.abort, promise: nil)
        }
    }
}

/// A task executor that runs its jobs on an event loop.
private final class EventLoopTasks: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Counts the tasks of requests, so that the server ends after them.
package final class OpenTasks: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    func begin() { state.withLock { $0.count += 1 } }

    func end() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until no task is running.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}

/// The tasks that wait until a connection or stream accepts more of a response.
struct WriterQueue {
    private var waiting: [EventLoopPromise<Void>] = []

    mutating func add(_ promise: EventLoopPromise<Void>?) { if let promise { waiting.append(promise) } }

    mutating func succeedAll() {
        let ready = waiting
        waiting = []
        for promise in ready { promise.succeed() }
    }

    mutating func failAll(_ error: any Error) {
        let failed = waiting
        waiting = []
        for promise in failed { promise.fail(error) }
    }
}
