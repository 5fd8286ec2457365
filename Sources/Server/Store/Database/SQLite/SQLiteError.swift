import FeedCore
import GRDB

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

    static let damagedHint = "Stop the server, keep a copy of the folder, and restore a backup."
}
