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

/// Keeps the stored statuses within their limits. A value is valid only within one database access.
struct TimelinePruning {
    private static let millisecondsPerDay: Int64 = 86_400_000
    /// The number of statuses that are removed at once, to make room for the next ones.
    private static let batch = 100

    let db: Database
    let limits: StoreLimits
    /// Milliseconds since 1970.
    let now: Int64

    /// - Parameter owner: The account whose number of statuses has grown.
    func run(owner: Int64) throws {
        try removeOld()
        try removeExcess(of: owner)
        while try usedBytes() > limits.bytes, let oldest = try oldestOwner() {
            guard try remove(Self.batch, of: oldest) > 0 else { break }
        }
    }

    private func removeOld() throws {
        let age = Int64(limits.days).multipliedReportingOverflow(by: Self.millisecondsPerDay)
        let first = now.subtractingSaturating(age.overflow ? .max : age.partialValue)
        for owner in try Int64.fetchAll(db, sql: "SELECT id FROM owner") {
            let sql = "SELECT id FROM status WHERE owner = ? AND fetched_at < ?"
            try remove(Int64.fetchAll(db, sql: sql, arguments: [owner, first]), of: owner)
        }
        try db.execute(
            sql: """
                DELETE FROM timeline
                WHERE synced_at < ? AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.timeline = timeline.id)
                """, arguments: [first])
    }

    private func removeExcess(of owner: Int64) throws {
        let sql = "SELECT count(*) FROM status WHERE owner = ?"
        let excess = (try Int.fetchOne(db, sql: sql, arguments: [owner]) ?? 0) - limits.statuses
        if excess > 0 { try remove(excess, of: owner) }
    }

    /// The bytes of the file that are in use, which include those of its indexes.
    private func usedBytes() throws -> Int64 {
        let sql = """
            SELECT (page_count - freelist_count) * page_size
            FROM pragma_page_count, pragma_freelist_count, pragma_page_size
            """
        return try Int64.fetchOne(db, sql: sql) ?? 0
    }

    /// The account whose status has not been fetched for the longest time.
    private func oldestOwner() throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM owner WHERE EXISTS (SELECT 1 FROM status WHERE status.owner = owner.id)
                ORDER BY (SELECT min(fetched_at) FROM status WHERE status.owner = owner.id) LIMIT 1
                """)
    }

    /// Removes the statuses that have not been fetched for the longest time; of those fetched together, the oldest.
    @discardableResult
    private func remove(_ count: Int, of owner: Int64) throws -> Int {
        let sql = "SELECT id FROM status WHERE owner = ? ORDER BY fetched_at, key LIMIT ?"
        return try remove(Int64.fetchAll(db, sql: sql, arguments: [owner, count]), of: owner)
    }

    @discardableResult
    private func remove(_ ids: [Int64], of owner: Int64) throws -> Int {
        let statuses = StoredStatuses(db: db, owner: owner)
        for id in ids { try statuses.remove(id, leavingGap: true) }
        return ids.count
    }
}

/// Limits on the content of an ``OfflineStore``. The least recently fetched statuses are removed first.
public struct StoreLimits: Sendable {
    /// The maximum number of statuses of an account.
    public var statuses = 100_000
    /// The number of days that a status is kept after it was last fetched.
    public var days = 180
    /// The maximum size of all accounts together, in bytes.
    public var bytes: Int64 = 256 << 20

    public init() {}
}
