import FeedCore
import Foundation
import GRDB
import Synchronization

/// Whether the database is writable. Writes stop when its file or log is missing, since a restart would lose them, and when
/// SQLite detects corruption, which every write might spread.
final class SQLiteHealth: Sendable {
    private struct State {
        /// Set until the server restarts.
        var damage: FeedError?
        var isMissing = false
    }

    /// The device and inode number of a file that is not empty.
    private struct FileIdentity: Equatable {
        let device: UInt64
        let number: UInt64

        /// - Parameter mayBeEmpty: Whether the file may be empty.
        init?(path: String, mayBeEmpty: Bool = false) {
            var status = stat()
            guard stat(path, &status) == 0, mayBeEmpty || status.st_size > 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    private let path: String
    private let file: FileIdentity?
    /// The write-ahead log, which exists as long as the database is open; `nil` if SQLite has not
    /// created it.
    private let log: FileIdentity?
    private let report: @Sendable (FeedError) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: The path of the open database.
    ///   - report: Called once for each reason why the database is no longer writable.
    init(path: String, report: @escaping @Sendable (FeedError) -> Void) {
        self.path = path
        self.report = report
        file = FileIdentity(path: path)
        log = FileIdentity(path: path + "-wal", mayBeEmpty: true)
    }

    /// - Throws: ``FeedError`` `.unavailable` while the database is not writable.
    func requireWritable() throws(FeedError) {
        let missing = self.missing
        let (damage, isNews) = state.withLock { state in
            defer { state.isMissing = missing != nil }
            return (state.damage, missing != nil && !state.isMissing)
        }
        if isNews, let missing { report(missing) }
        if let damage { throw damage }
        if let missing { throw missing }
    }

    /// The reason why a restart would lose writes.
    private var missing: FeedError? {
        if FileIdentity(path: path) != file { return fileIsMissing }
        guard let log else { return nil }
        return FileIdentity(path: path + "-wal", mayBeEmpty: true) == log ? nil : logIsMissing
    }

    private var fileIsMissing: FeedError {
        FeedError(
            .unavailable, "The database file is missing or empty; nothing can be stored",
            hint: "Stop the server and put \((path as NSString).lastPathComponent) back, or restore a backup.")
    }

    /// The open file still holds the log, so that nothing is lost if the server is stopped properly.
    private var logIsMissing: FeedError {
        FeedError(
            .unavailable, "The log of the database has been deleted; nothing can be stored",
            hint: "Restart the server, which then saves what the log contains. Do not kill it.")
    }

    /// Records the error if it indicates corruption.
    func record(_ error: any Error) {
        guard let error = error as? DatabaseError, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) else {
            return
        }
        let damage = FeedError(
            .unavailable, "The database is damaged; nothing can be stored", hint: SQLiteError.damagedHint)
        let isNews = state.withLock { state in
            defer { state.damage = damage }
            return state.damage == nil
        }
        if isNews { report(FeedError(damage.kind, damage.message, hint: damage.hint, cause: error)) }
    }
}

/// Converts SQLite errors to ``FeedError``.
enum SQLiteError {
    static func translate(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_FULL:
            return FeedError.diskFull(error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return FeedError(.unavailable, "The database is busy", hint: "Try again.", cause: error, retryAfter: 1)
        case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY:
            return FeedError(.notFound, "A record this refers to no longer exists", cause: error)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return FeedError(.storage, "The database is damaged", hint: damagedHint, cause: error)
        default:
            return FeedError(.storage, "The database reported an error", cause: error)
        }
    }

    static let damagedHint = "Stop the server, move the folder aside, and restore a backup."
}
