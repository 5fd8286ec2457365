import Foundation
import GRDB
import Synchronization

/// The file of stored timelines, which several processes may use at once. A damaged file is replaced by an empty one,
/// because timelines can be fetched again.
final class TimelineDatabase: Sendable {
    /// How long one process waits for another, in seconds.
    private static let busyTimeout = 10.0

    private let folder: String
    private let queue = Mutex<DatabaseQueue?>(nil)

    private var path: String { folder + "/timelines.sqlite" }

    /// - Throws: ``FeedClientError`` `.disk`.
    init(folder: String) throws(FeedClientError) {
        self.folder = folder
        do { _ = try current() } catch { throw failure("open", error) }
    }

    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    func read<Value: Sendable>(_ work: @Sendable (Database) throws -> Value) async throws -> Value {
        try await perform("read") { try await $0.read(work) }
    }

    /// Runs `work` in a transaction.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    func write<Value: Sendable>(_ work: @Sendable (Database) throws -> Value) async throws -> Value {
        try await perform("write") { try await $0.write(work) }
    }

    /// Removes the unused parts of the file, which may contain what was removed.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    func compact() async throws { try await perform("write") { try await $0.vacuum() } }

    /// Repeats the work once after an error that may be due to a damaged or deleted file.
    private func perform<Value: Sendable>(
        _ action: String, _ work: (DatabaseQueue) async throws -> Value
    ) async throws -> Value {
        do {
            let queue = try current()
            do {
                return try await work(queue)
            } catch let error as DatabaseError where !Self.isTransient(error) {
                replace(queue, after: error)
                return try await work(try current())
            }
        } catch let error as DatabaseError {
            throw failure(action, error)
        }
    }

    private func current() throws -> DatabaseQueue {
        try queue.withLock { queue -> DatabaseQueue in
            if let queue { return queue }
            let opened = try open()
            queue = opened
            return opened
        }
    }

    private func open() throws -> DatabaseQueue {
        do { return try openOnce() } catch let error as DatabaseError where Self.isDamage(error) {
            discard()
            return try openOnce()
        }
    }

    private func openOnce() throws -> DatabaseQueue {
        try ClientFolders.create(folder)
        let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
        try TimelineSchema.prepare(queue)
        chmod(path, 0o600)
        return queue
    }

    private func replace(_ damaged: DatabaseQueue, after error: DatabaseError) {
        queue.withLock { queue in
            guard queue === damaged else { return }
            queue = nil
            if Self.isDamage(error) { discard() }
        }
        try? damaged.close()
    }

    private func discard() { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) } }

    /// Uses the rollback journal: stored timelines can then be read even if the disk is full, and SQLite notices that
    /// the file was deleted.
    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY")
        }
        return configuration
    }
}

extension TimelineDatabase {
    private func failure(_ action: String, _ error: any Error) -> FeedClientError {
        error as? FeedClientError ?? Self.failure(action, path, error)
    }

    /// Describes a failed database operation.
    static func failure(_ action: String, _ path: String, _ error: any Error) -> FeedClientError {
        let code = (error as? DatabaseError)?.extendedResultCode
        // SQLite reports a short write only in the extended code.
        let isFull = [.SQLITE_FULL, .SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE].contains(code)
        return FeedClientError(
            .disk, "Cannot \(action) \(path)" + (isFull ? ": the disk is full or defective" : ""),
            hint: isFull ? "Free some space and try again." : "Check who owns the folder.", cause: error)
    }

    /// Errors that do not indicate a problem with the file.
    private static func isTransient(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_ABORT: true
        default: false
        }
    }

    /// Errors that recur until the file is replaced.
    private static func isDamage(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT: true
        default: false
        }
    }
}
