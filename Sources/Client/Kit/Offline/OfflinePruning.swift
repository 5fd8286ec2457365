import FeedAPI
import GRDB

/// Keeps the stored statuses within their limits. A value is valid only within one database access.
struct OfflinePruning {
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
