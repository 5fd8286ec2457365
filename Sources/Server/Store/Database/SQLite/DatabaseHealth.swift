import FeedCore
import Foundation
import GRDB
import Synchronization

/// Whether the database is writable. Writes stop when its file is missing, since a restart would lose them, and when
/// SQLite detects corruption, which every write might spread.
final class DatabaseHealth: Sendable {
    private struct State {
        /// Set until the server restarts.
        var damage: FeedError?
        var isFileMissing = false
        /// The write-ahead log, which exists from the first write on.
        var log: FileIdentity?
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
    private let report: @Sendable (FeedError) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: The path of the open database.
    ///   - report: Called once for each reason why the database is no longer writable.
    init(path: String, report: @escaping @Sendable (FeedError) -> Void) {
        self.path = path
        self.report = report
        file = FileIdentity(path: path)
    }

    /// - Throws: ``FeedError`` `.unavailable` while the database is not writable.
    func requireWritable() throws(FeedError) {
        let (isFileMissing, log) = (
            FileIdentity(path: path) != file, FileIdentity(path: path + "-wal", mayBeEmpty: true)
        )
        let (damage, missing, isNews) = state.withLock { state -> (FeedError?, FeedError?, Bool) in
            if state.log == nil { state.log = log }
            let missing = isFileMissing ? fileIsMissing : state.log != log ? logIsMissing : nil
            defer { state.isFileMissing = missing != nil }
            return (state.damage, missing, missing != nil && !state.isFileMissing)
        }
        if isNews, let missing { report(missing) }
        if let damage { throw damage }
        if let missing { throw missing }
    }

    private var fileIsMissing: FeedError {
        FeedError(
            .unavailable, "The database file is missing; nothing can be stored",
            hint: "Stop the server and put \((path as NSString).lastPathComponent) back, or restore a backup.")
    }

    /// The open file still holds the log, so that nothing is lost if the server is stopped properly.
    private var logIsMissing: FeedError {
        FeedError(
            .unavailable, "The log of the database has been deleted; nothing can be stored",
            hint: "Restart the server, which then saves what the log contains. Do not kill it.")
    }

    /// Records the error if it indicates corruption.
    func note(_ error: any Error) {
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
