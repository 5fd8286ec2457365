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
    }

    /// The device and inode number of a file.
    private struct FileIdentity: Equatable {
        let device: UInt64
        let number: UInt64

        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
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
        let isMissing = FileIdentity(path: path) != file
        let (damage, isNews) = state.withLock { state in
            defer { state.isFileMissing = isMissing }
            return (state.damage, isMissing && !state.isFileMissing)
        }
        let missing = FeedError(
            .unavailable, "The database file is missing; nothing can be stored",
            hint: "Stop the server and put \((path as NSString).lastPathComponent) back, or restore a backup.")
        if isNews { report(missing) }
        if let damage { throw damage }
        if isMissing { throw missing }
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
