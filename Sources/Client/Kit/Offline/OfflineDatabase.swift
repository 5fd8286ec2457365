import FeedAPI
import GRDB

/// The file of stored timelines. Its errors are those of the library.
final class OfflineDatabase: Sendable {
    /// The time that one process waits for another, in seconds.
    private static let busyTimeout = Double(Timeout.seconds(10))

    private let database: ReplaceableDatabase

    /// - Throws: ``FeedClientError`` `.disk`.
    init(folder: String) throws(FeedClientError) {
        database = ReplaceableDatabase(
            folder: folder, name: "timelines.sqlite", busyTimeout: OfflineDatabase.busyTimeout,
            isCheckedWhenOpened: false, prepare: OfflineSchema.prepare)
        do { try database.open() } catch { throw failure("open", error) }
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

    private func perform<Value: Sendable>(
        _ action: String, _ work: (DatabaseQueue) async throws -> Value
    ) async throws -> Value {
        do { return try await database.perform(work) } catch let error as DatabaseError {
            throw failure(action, error)
        }
    }

    private func failure(_ action: String, _ error: any Error) -> FeedClientError {
        error as? FeedClientError ?? Self.failure(action, database.path, error)
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
}
