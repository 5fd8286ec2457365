import FeedAPI
import Foundation
import GRDB

/// The timelines of an account on the disk, for reading without a network.
///
/// A timeline is stored in parts. Where statuses may be missing between two of them, there is a gap, which is filled when
/// these statuses are fetched. ``TimelineSync`` fetches and stores; several processes may use a store at once.
public struct TimelineStore: Sendable {
    let database: TimelineDatabase
    /// The server and the account.
    let owner: String
    private let limits: StoreLimits

    /// - Parameters:
    ///   - folder: The state folder; it is created if it does not exist.
    ///   - owner: The server and the account that the timelines belong to.
    ///   - limits: How much is kept.
    /// - Throws: ``FeedClientError`` `.disk`. A damaged store is discarded.
    public init(folder: String, owner: String, limits: StoreLimits = StoreLimits()) throws(FeedClientError) {
        database = try TimelineDatabase(folder: folder)
        self.owner = owner
        self.limits = limits
    }

    // MARK: Reading

    /// The newest stored statuses of a timeline.
    /// - Parameters:
    ///   - count: The maximum number of statuses.
    ///   - range: The part of the timeline to read.
    ///   - countsRepetitions: Whether a status that several accounts have boosted counts several times.
    /// - Returns: `nil` if nothing has been stored.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func statuses(
        of name: TimelineName, count: Int, in range: TimelineRange = TimelineRange(), countsRepetitions: Bool = true
    ) async throws -> StoredTimeline? {
        let start = TimelineReader.Position(range, count: count, countsRepetitions: countsRepetitions)
        return try await part(of: name, from: start, count: .max)?.timeline
    }

    /// The newest stored statuses of a timeline in parts, of which only one is in memory at a time.
    /// - Parameters:
    ///   - count: The maximum number of statuses.
    ///   - range: The part of the timeline to read.
    ///   - countsRepetitions: Whether a status that several accounts have boosted counts several times.
    public func parts(
        of name: TimelineName, count: Int, in range: TimelineRange = TimelineRange(), countsRepetitions: Bool = true
    ) -> StoredTimelineParts {
        StoredTimelineParts(
            store: self, name: name,
            start: TimelineReader.Position(range, count: count, countsRepetitions: countsRepetitions))
    }

    /// A part of a timeline.
    /// - Parameter count: The maximum number of rows.
    /// - Returns: `nil` if nothing has been stored.
    func part(
        of name: TimelineName, from start: TimelineReader.Position, count: Int
    ) async throws -> TimelineReader.Part? {
        try await database.read { db in
            guard let (timeline, syncedAt, _) = try find(name, in: db), Milliseconds.valid.contains(syncedAt) else {
                return nil
            }
            let reader = TimelineReader(rows: TimelineRows(db: db, timeline: timeline), syncedAt: syncedAt)
            return try reader.part(from: start, count: count)
        }
    }

    /// A number that changes whenever a part of the timeline is stored.
    func revision(of name: TimelineName) async throws -> Int64 {
        try await database.read { db in try find(name, in: db)?.revision ?? 0 }
    }

    private func find(
        _ name: TimelineName, in db: Database
    ) throws -> (id: Int64, syncedAt: Int64, revision: Int64)? {
        let sql = """
            SELECT timeline.id, timeline.synced_at, timeline.revision FROM timeline JOIN owner ON owner.id = timeline.owner
            WHERE owner.name = ? AND timeline.name = ?
            """
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [owner, name.storedName]),
            let id = Int64.fromDatabaseValue(row[0]), let syncedAt = Int64.fromDatabaseValue(row[1])
        else { return nil }
        return (id, syncedAt, Int64.fromDatabaseValue(row[2]) ?? 0)
    }

    // MARK: Writing

    /// Stores parts of a timeline, each of which begins where the one before it ends.
    ///
    /// Stored statuses in a fetched part that were not sent have been deleted, so they are removed. A timeline not
    /// sorted by ids is replaced.
    /// - Parameters:
    ///   - now: When they were fetched, in milliseconds since 1970.
    ///   - revision: The revision of the timeline before they were fetched; `nil` if no other process can have changed it.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    func save(_ segments: [TimelineSegment], of name: TimelineName, now: Int64, revision: Int64? = nil) async throws {
        guard let first = segments.first else { return }
        try await change(name, isNewest: first.range.before == nil, now: now) { rows, statuses, present in
            try TimelineSaving(name: name, rows: rows, statuses: statuses, now: now)
                .save(segments, isUnchanged: revision == nil || revision == present)
        }
    }

    /// Changes a timeline, whose revision is replaced, and then removes what exceeds the limits.
    private func change(
        _ name: TimelineName, isNewest: Bool, now: Int64,
        _ body: @Sendable (_ rows: TimelineRows, _ statuses: StatusRows, _ revision: Int64?) throws -> Void
    ) async throws {
        try await database.write { db in
            let account = try Self.ownerID(owner, in: db)
            let timeline = try timelineID(name, owner: account, isNewest: isNewest, now: now, in: db)
            let sql = "SELECT revision FROM timeline WHERE id = ?"
            let revision = try Int64.fetchOne(db, sql: sql, arguments: [timeline])
            try db.execute(sql: "UPDATE timeline SET revision = random() WHERE id = ?", arguments: [timeline])
            try body(TimelineRows(db: db, timeline: timeline), StatusRows(db: db, owner: account), revision)
            try TimelineTrimming(db: db, limits: limits, now: now).run(owner: account)
        }
    }

    /// Stores a part of a timeline.
    ///
    /// Stored statuses in that part that were not sent have been deleted, so they are removed. A timeline that is not
    /// sorted by ids is replaced.
    /// - Parameter now: When it was fetched, in milliseconds since 1970.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func save(_ segment: TimelineSegment, of name: TimelineName, now: Int64) async throws {
        try await save([segment], of: name, now: now)
    }

    // MARK: Timelines that are not sorted by ids

    /// Stores statuses that become part of a timeline later, with ``replace(_:with:hasGap:now:)``.
    /// - Returns: Their keys.
    func add(_ entries: [TimelineEntry], now: Int64) async throws -> [StatusKey] {
        try await database.write { db in
            let statuses = StatusRows(db: db, owner: try Self.ownerID(owner, in: db))
            for entry in entries { _ = try statuses.save(entry, now: now) }
            return entries.compactMap { StatusKey($0.status.id) }
        }
    }

    /// Replaces all entries of a timeline by stored statuses, except for those that have been deleted meanwhile.
    /// - Parameters:
    ///   - keys: In the order of the timeline.
    ///   - hasGap: Whether there is more at the server.
    func replace(_ name: TimelineName, with keys: [StatusKey], hasGap: Bool, now: Int64) async throws {
        try await change(name, isNewest: true, now: now) { rows, statuses, _ in
            try rows.replace(with: keys.compactMap(statuses.id), hasGap: hasGap, in: statuses)
        }
    }

    /// Removes those of the statuses that are in no timeline.
    func removeUnused(_ keys: [StatusKey]) async throws {
        try await database.write { db in
            let statuses = StatusRows(db: db, owner: try Self.ownerID(owner, in: db))
            for id in try keys.compactMap(statuses.id) { try statuses.removeIfUnused(id) }
        }
    }

    // MARK: Rows

    /// The row of an owner, which is added if it does not exist.
    static func ownerID(_ name: String, in db: Database) throws -> Int64 {
        try db.execute(sql: "INSERT INTO owner (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [name])
        return try Int64.fetchOne(db, sql: "SELECT id FROM owner WHERE name = ?", arguments: [name]) ?? 0
    }

    /// The row of a timeline, which is added if it does not exist.
    /// - Parameter isNewest: Whether its newest statuses have been fetched.
    private func timelineID(
        _ name: TimelineName, owner: Int64, isNewest: Bool, now: Int64, in db: Database
    ) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO timeline (owner, name, synced_at, revision) VALUES (?1, ?2, ?3, 0)
                ON CONFLICT DO \(isNewest ? "UPDATE SET synced_at = excluded.synced_at" : "NOTHING")
                """, arguments: [owner, name.storedName, isNewest ? now : 0])
        let sql = "SELECT id FROM timeline WHERE owner = ? AND name = ?"
        return try Int64.fetchOne(db, sql: sql, arguments: [owner, name.storedName]) ?? 0
    }
}
