import FeedAPI
import Foundation
import GRDB

/// The last synced page of each timeline, for offline reading.
public struct OfflineTimelines: Sendable {
    /// Valid times: from 1970 to the end of the year 9999, in milliseconds.
    private static let validTimes: ClosedRange<Int64> = 0...253_402_300_799_999

    private let queue: DatabaseQueue

    /// - Parameter folder: The state folder; it is created if it does not exist.
    /// - Throws: ``FeedClientError`` `.disk`.
    public init(folder: String) throws(FeedClientError) {
        try ClientFolders.create(folder)
        let path = folder + "/timelines.sqlite"
        do {
            queue = try Self.open(path)
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            // A damaged store is discarded, because the timelines can be synced again.
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            do { queue = try Self.open(path) } catch { throw Self.failure("open", path, error) }
        } catch {
            throw Self.failure("open", path, error)
        }
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

    /// Replaces the page of a timeline.
    /// - Parameters:
    ///   - entries: The statuses, the newest first.
    ///   - timeline: The name under which the page is stored.
    ///   - owner: The server and the account that read it.
    ///   - now: Milliseconds since 1970.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func save(_ entries: [TimelineEntry], timeline: String, owner: String, now: Int64) async throws {
        do {
            try await write(entries, timeline: timeline, owner: owner, now: now)
        } catch {
            throw Self.failure("write", queue.path, error)
        }
    }

    private func write(_ entries: [TimelineEntry], timeline: String, owner: String, now: Int64) async throws {
        try await queue.write { db in
            try db.execute(
                sql: "DELETE FROM entry WHERE owner = ? AND timeline = ?", arguments: [owner, timeline])
            try db.execute(
                sql: "INSERT OR REPLACE INTO page (owner, timeline, synced_at) VALUES (?, ?, ?)",
                arguments: [owner, timeline, now])
            for (position, entry) in entries.enumerated() {
                try db.execute(
                    sql: "INSERT INTO entry (owner, timeline, position, json) VALUES (?, ?, ?, ?)",
                    arguments: [owner, timeline, position, Data(entry.json)])
            }
        }
    }

    /// The last synced page of a timeline and the time of the sync (milliseconds since 1970); `nil` if no page is
    /// stored or the stored time is invalid.
    public func page(timeline: String, owner: String) async throws -> (entries: [TimelineEntry], syncedAt: Int64)? {
        let stored = try await queue.read { db -> (Int64, [Data])? in
            let sql = "SELECT synced_at FROM page WHERE owner = ? AND timeline = ?"
            guard let time = try Int64.fetchOne(db, sql: sql, arguments: [owner, timeline]) else { return nil }
            let rows = try Data.fetchAll(
                db, sql: "SELECT json FROM entry WHERE owner = ? AND timeline = ? ORDER BY position",
                arguments: [owner, timeline])
            return (time, rows)
        }
        guard let (time, rows) = stored, Self.validTimes.contains(time) else { return nil }
        let entries = rows.compactMap { json in
            (try? JSONDecoder().decode(Entity.Status.self, from: json)).map {
                TimelineEntry(status: $0, json: Array(json))
            }
        }
        return (entries, time)
    }

    // MARK: Changes

    /// Up to where the changes of the server have been applied to the pages.
    struct SyncState: Equatable {
        /// `nil` if the server has no change feed.
        let position: String?
        /// When this was found out, in milliseconds since 1970.
        let time: Int64
    }

    /// - Returns: `nil` before the first sync.
    func syncState(owner: String) async throws -> SyncState? {
        try await queue.read { db in
            let sql = "SELECT position, time FROM sync WHERE owner = ?"
            return try Row.fetchOne(db, sql: sql, arguments: [owner]).map {
                SyncState(position: $0["position"], time: $0["time"])
            }
        }
    }

    /// Replaces edited statuses and removes deleted ones in all pages of an owner, and stores the new state.
    /// - Throws: ``FeedClientError`` `.disk`.
    func apply(_ changes: [Change], _ state: SyncState, owner: String) async throws {
        do {
            try await queue.write { db in
                for change in changes { try Self.apply(change, owner: owner, in: db) }
                try db.execute(
                    sql: "INSERT OR REPLACE INTO sync (owner, position, time) VALUES (?, ?, ?)",
                    arguments: [owner, state.position, state.time])
            }
        } catch {
            throw Self.failure("write", queue.path, error)
        }
    }

    private static func apply(_ change: Change, owner: String, in db: GRDB.Database) throws {
        // A row may be damaged; the functions of SQLite fail on text that is not JSON.
        func matches(_ path: String) -> String {
            "CASE WHEN json_valid(CAST(json AS TEXT)) THEN json_extract(CAST(json AS TEXT), '\(path)') END = ?"
        }
        switch (change.event, change.id) {
        case ("delete", let id?):
            let sql = "DELETE FROM entry WHERE owner = ? AND (\(matches("$.id")) OR \(matches("$.reblog.id")))"
            try db.execute(sql: sql, arguments: [owner, id, id])
        case ("status.update", let id?):
            guard let entry = change.entry else { return }
            let sql = "UPDATE entry SET json = ? WHERE owner = ? AND \(matches("$.id"))"
            try db.execute(sql: sql, arguments: [Data(entry.json), owner, id])
        default: break
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS page (
                        owner TEXT NOT NULL, timeline TEXT NOT NULL, synced_at INTEGER NOT NULL,
                        PRIMARY KEY (owner, timeline)) STRICT;
                    CREATE TABLE IF NOT EXISTS entry (
                        owner TEXT NOT NULL, timeline TEXT NOT NULL, position INTEGER NOT NULL, json BLOB NOT NULL,
                        PRIMARY KEY (owner, timeline, position)) STRICT;
                    CREATE TABLE IF NOT EXISTS sync (
                        owner TEXT NOT NULL PRIMARY KEY, position TEXT, time INTEGER NOT NULL) STRICT;
                    """)
        }
        chmod(path, 0o600)
        return queue
    }
}
