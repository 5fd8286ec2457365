import DequeModule
import FeedCore
import Foundation
import GRDB
import Synchronization

/// A pool of read-only connections for client requests, each used by a thread of its own.
///
/// GRDB's `DatabasePool` hops between two dispatch queues for each asynchronous read, which costs more than most reads.
/// Here, a read hops once to a reader thread, and a busy thread takes the next read without being woken.
///
/// The owner must call ``close()`` before it closes the connection that writes, which otherwise cannot remove the
/// write-ahead log.
final class SQLiteReaderPool: Sendable {
    private let threads: ReaderThreads

    /// Opens the first connection. If opening another one fails later, for example because the file was deleted or no
    /// descriptor is free, the open connections serve all reads.
    /// - Parameter count: The maximum number of connections.
    init(path: String, configuration: Configuration, count: Int) throws {
        threads = try ReaderThreads(path: path, configuration: configuration, count: count)
    }

    // The threads retain only `threads`, so this object can be released while they run.
    deinit { threads.close() }

    /// Runs `body` in a read transaction, on a consistent snapshot. Cancellation has no effect on a read that is pending
    /// or running, because reads are short.
    /// - Throws: The error of `body`, `CancellationError`, or `DatabaseError`.
    func read<Value: Sendable>(_ body: @escaping @Sendable (GRDB.Database) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            threads.run { connection in continuation.resume(with: Result { try connection.get().readSnapshot(body) }) }
        }
    }

    /// Runs all pending reads, closes the connections and ends the threads. Blocks until then.
    func close() {
        threads.close()
        threads.join()
    }
}

extension DatabaseQueue {
    /// Like `read`, but the statements that begin and end the transaction are prepared only once.
    fileprivate func readSnapshot<Value>(_ body: (GRDB.Database) throws -> Value) throws -> Value {
        try unsafeRead { db in
            let connection = SQLiteConnection(db: db)
            _ = try connection.run("BEGIN", [], isReused: true)
            defer {
                // After some errors, SQLite has ended the transaction itself.
                if (try? connection.run("COMMIT", [], isReused: true)) == nil, db.isInsideTransaction {
                    try? db.rollback()
                }
            }
            return try body(db)
        }
    }
}

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

/// A snapshot of an open database, or a database file that nobody writes.
package final class SQLiteSnapshot: DatabaseSnapshotting {
    private let reader: any DatabaseReader

    init(_ reader: any DatabaseReader) { self.reader = reader }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await reader.read { try body(Database(connection: SQLiteConnection(db: $0))) }
        } catch {
            throw SQLiteError.translate(error)
        }
    }

    package func close() { try? reader.close() }
}
