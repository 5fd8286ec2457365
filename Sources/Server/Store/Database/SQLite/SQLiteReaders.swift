import GRDB

/// A pool of read-only connections for client requests, each used by a thread of its own.
///
/// GRDB's `DatabasePool` hops between two dispatch queues for each asynchronous read, which costs more than most reads.
/// Here, a read hops once to a reader thread, and a busy thread takes the next read without being woken.
///
/// The owner must call ``close()`` before it closes the connection that writes, which otherwise cannot remove the
/// write-ahead log.
final class SQLiteReaders: Sendable {
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
