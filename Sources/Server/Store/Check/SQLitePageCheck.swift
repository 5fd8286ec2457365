import Foundation
import GRDB

/// Checks all pages of a SQLite file that is in use.
///
/// Tables are checked one after the other, because the write-ahead log cannot be reset during a long read, and on a
/// thread of low priority, because clients should not notice.
enum SQLitePageCheck {
    /// Ends at once when the task is cancelled.
    /// - Throws: `DatabaseError` `.SQLITE_CORRUPT` with SQLite's first message about a damaged table.
    static func run(_ path: String) async throws {
        let tables = AsyncThrowingStream<String, any Error> { continuation in
            Thread.detachNewThread {
                // On Linux, this is the priority of the thread.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                do {
                    try check(path) { table in
                        guard case .terminated = continuation.yield(table) else { return true }
                        return false
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
        }
        for try await _ in tables {}
    }

    /// - Parameter proceed: Called after each table; ends the check if it returns `false`.
    private static func check(_ path: String, _ proceed: (String) -> Bool) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = SQLiteDatabase.busyMode
        // A connection of its own, because the readers are for clients.
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        let tables = try queue.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
        }
        for table in tables {
            let verdict = try queue.read { db in
                try String.fetchOne(db, sql: "PRAGMA quick_check(\(table.quotedDatabaseIdentifier))")
            }
            guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
            guard proceed(table) else { return }
        }
    }
}
