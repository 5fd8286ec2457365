import FeedCore
import Foundation
import GRDB
import Synchronization

/// Whether the database can be written to. Writing stops when its file is gone, since nothing of it would be there after a
/// restart, and when SQLite has met damage, which every write may spread.
final class DatabaseHealth: Sendable {
    private struct State {
        /// Stays until the server is started again.
        var damage: FeedError?
        var isFileMissing = false
    }

    /// What a path leads to.
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
    ///   - path: The database that has just been opened.
    ///   - report: Told once of each reason for which nothing is stored any more.
    init(path: String, report: @escaping @Sendable (FeedError) -> Void) {
        self.path = path
        self.report = report
        file = FileIdentity(path: path)
    }

    /// - Throws: ``FeedError`` `.unavailable` while nothing can be stored.
    func requireWritable() throws(FeedError) {
        let isMissing = FileIdentity(path: path) != file
        let (damage, isNews) = state.withLock { state in
            defer { state.isFileMissing = isMissing }
            return (state.damage, isMissing && !state.isFileMissing)
        }
        let missing = FeedError(
            .unavailable, "The database file is gone; nothing can be stored",
            hint: "Stop the server and put \((path as NSString).lastPathComponent) back, or restore a backup.")
        if isNews { report(missing) }
        if let damage { throw damage }
        if isMissing { throw missing }
    }

    /// Takes notice of what went wrong in a query.
    func note(_ error: any Error) {
        guard let error = error as? DatabaseError, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) else {
            return
        }
        let damage = FeedError(
            .unavailable, "The database is damaged; nothing can be stored", hint: StoreError.damagedHint)
        let isNews = state.withLock { state in
            defer { state.damage = damage }
            return state.damage == nil
        }
        if isNews { report(FeedError(damage.kind, damage.message, hint: damage.hint, cause: error)) }
    }
}
