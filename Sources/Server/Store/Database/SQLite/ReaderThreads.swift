import DequeModule
import FeedCore
import Foundation
import GRDB
import Synchronization

/// Threads that run reads, each on its own connection, as ``ReadScheduler`` decides.
final class ReaderThreads: Sendable {
    typealias Read = @Sendable (Result<DatabaseQueue, DatabaseError>) -> Void

    private let path: String
    private let configuration: Configuration
    private let scheduler: Mutex<ReadScheduler<Read>>
    /// One for each thread, which waits for it.
    private let wakeUps: [DispatchSemaphore]
    private let running = DispatchGroup()

    /// Starts the first thread.
    /// - Throws: `DatabaseError` if the database cannot be opened or no thread can be started.
    init(path: String, configuration: Configuration, count: Int) throws {
        var configuration = configuration
        configuration.readonly = true
        (self.path, self.configuration) = (path, configuration)
        scheduler = Mutex(ReadScheduler(maximum: count))
        wakeUps = (0..<count).map { _ in DispatchSemaphore(value: 0) }
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        running.enter()
        guard start(0, { connection }) else {
            throw DatabaseError(resultCode: .SQLITE_NOMEM, message: "Cannot start a thread")
        }
    }

    func run(_ read: @escaping Read) {
        let action = scheduler.withLock { scheduler in
            let action = scheduler.add(read)
            // Within the lock, so that `join` cannot overlook the thread.
            if case .start = action { running.enter() }
            return action
        }
        switch action {
        case .start(let thread):
            let isStarted = start(thread) { [self] in try? DatabaseQueue(path: path, configuration: configuration) }
            if !isStarted { scheduler.withLock { $0.failedToStart(thread) } }
        case .wake(let thread): wakeUps[thread].signal()
        case .none: break
        case .reject: read(.failure(DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")))
        }
    }

    func close() {
        for thread in scheduler.withLock({ $0.close() }) { wakeUps[thread].signal() }
    }

    /// Blocks until all threads have ended.
    func join() { running.wait() }

    /// - Parameter open: Opens the connection of the thread.
    /// - Returns: `false` if the system has no more threads.
    private func start(_ thread: Int, _ open: @escaping @Sendable () -> DatabaseQueue?) -> Bool {
        let isStarted = SystemThread.start { [self] in
            defer { running.leave() }
            guard let connection = open() else { return scheduler.withLock { $0.failedToStart(thread) } }
            work(thread, connection)
        }
        if !isStarted { running.leave() }
        return isStarted
    }

    private func work(_ thread: Int, _ connection: DatabaseQueue) {
        while true {
            switch scheduler.withLock({ $0.next(for: thread) }) {
            case .run(let read): read(.success(connection))
            case .wait: wakeUps[thread].wait()
            case .end:
                try? connection.close()
                return
            }
        }
    }
}

/// A detached thread. Unlike Foundation's `Thread`, it reports that the system has no more of them.
private enum SystemThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

/// Decides which thread runs which read, and when threads are started, woken and ended.
///
/// Threads have numbers from 0. The thread 0 is running from the beginning, so there is always one.
struct ReadScheduler<Read: Sendable>: Sendable {
    /// The action after a read was added.
    enum AddAction: Equatable {
        case start(Int)
        case wake(Int)
        /// Nothing: a thread that is running takes the read.
        case none
        /// The connections are closed.
        case reject
    }

    /// The next step of a thread.
    enum Step {
        case run(Read)
        /// Waits until it is woken.
        case wait
        case end
    }

    private var reads = Deque<Read>()
    /// The threads that have not been started; the last one is started first.
    private var unused: [Int]
    /// The threads that wait. The last one is woken first, because its caches are the most useful ones.
    private var waiting: [Int] = []
    private var isClosed = false

    /// - Parameter maximum: The maximum number of threads.
    init(maximum: Int) { unused = (1..<max(1, maximum)).reversed() }

    mutating func add(_ read: Read) -> AddAction {
        guard !isClosed else { return .reject }
        reads.append(read)
        if let thread = waiting.popLast() { return .wake(thread) }
        return unused.popLast().map { .start($0) } ?? .none
    }

    /// Pending reads still run after ``close()``.
    mutating func next(for thread: Int) -> Step {
        if let read = reads.popFirst() { return .run(read) }
        if isClosed { return .end }
        waiting.append(thread)
        return .wait
    }

    /// Forgets a thread that could not be started. Another one runs the read for which it was to be started, because no
    /// thread waits while reads are pending.
    mutating func failedToStart(_ thread: Int) { unused.append(thread) }

    /// - Returns: The threads to wake, so that they end.
    mutating func close() -> [Int] {
        isClosed = true
        defer { waiting = [] }
        return waiting
    }
}
