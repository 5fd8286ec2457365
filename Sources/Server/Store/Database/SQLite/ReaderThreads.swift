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
