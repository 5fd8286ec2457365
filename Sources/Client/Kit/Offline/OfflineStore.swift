import FeedAPI
import Foundation
import GRDB

/// The timelines of an account on the disk, for reading without a network.
///
/// A timeline is stored in parts. Where statuses may be missing between two of them, there is a gap, which is filled when
/// these statuses are fetched. ``OfflineSync`` fetches and stores; several processes may use a store at once.
public struct OfflineStore: Sendable {
    let database: OfflineDatabase
    /// The server and the account.
    let owner: String
    private let limits: StoreLimits

    /// - Parameters:
    ///   - folder: The state folder; it is created if it does not exist.
    ///   - owner: The server and the account that the timelines belong to.
    ///   - limits: How much is kept.
    /// - Throws: ``FeedClientError`` `.disk`. A damaged store is discarded.
    public init(folder: String, owner: String, limits: StoreLimits = StoreLimits()) throws(FeedClientError) {
        database = try OfflineDatabase(folder: folder)
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
        let start = StoredTimelineReader.Position(range, count: count, countsRepetitions: countsRepetitions)
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
            start: StoredTimelineReader.Position(range, count: count, countsRepetitions: countsRepetitions))
    }

    /// A part of a timeline.
    /// - Parameter count: The maximum number of rows.
    /// - Returns: `nil` if nothing has been stored.
    func part(
        of name: TimelineName, from start: StoredTimelineReader.Position, count: Int
    ) async throws -> StoredTimelineReader.Part? {
        try await database.read { db in
            guard let (timeline, syncedAt, _) = try find(name, in: db), Milliseconds.valid.contains(syncedAt) else {
                return nil
            }
            let reader = StoredTimelineReader(rows: TimelineEntryTable(db: db, timeline: timeline), syncedAt: syncedAt)
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
        try await change(name, first.range, now: now, revision: revision) { rows, statuses, isUnchanged in
            try TimelineSaving(name: name, rows: rows, statuses: statuses, now: now)
                .save(segments, isUnchanged: isUnchanged)
        }
    }

    /// Changes a timeline, whose revision is replaced, and then removes what exceeds the limits.
    /// - Parameters:
    ///   - range: The part of the timeline that was fetched.
    ///   - revision: The revision before it was fetched; `nil` if no other process can have changed it.
    private func change(
        _ name: TimelineName, _ range: TimelineRange, now: Int64, revision: Int64? = nil,
        _ body: @Sendable (_ rows: TimelineEntryTable, _ statuses: StoredStatuses, _ isUnchanged: Bool) throws -> Void
    ) async throws {
        let isNewest = range.before == nil
        try await database.write { db in
            let account = try Self.ownerID(owner, in: db)
            let timeline = try timelineID(name, owner: account, isNewest: isNewest, now: now, in: db)
            let sql = "SELECT revision FROM timeline WHERE id = ?"
            let present = try Int64.fetchOne(db, sql: sql, arguments: [timeline])
            let isUnchanged = revision == nil || revision == present
            try db.execute(sql: "UPDATE timeline SET revision = random() WHERE id = ?", arguments: [timeline])
            if isNewest, isUnchanged { try Self.settle(timeline, isWhole: range.since == nil, now: now, in: db) }
            try body(
                TimelineEntryTable(db: db, timeline: timeline), StoredStatuses(db: db, owner: account), isUnchanged)
            try OfflinePruning(db: db, limits: limits, now: now).run(owner: account)
        }
    }

    /// Records that the newest statuses have been fetched.
    /// - Parameter isWhole: Whether statuses that were stored before have been fetched again.
    private static func settle(_ timeline: Int64, isWhole: Bool, now: Int64, in db: Database) throws {
        try db.execute(
            sql: "UPDATE timeline SET has_news = 0, verified_at = iif(?, ?, verified_at) WHERE id = ?",
            arguments: [isWhole, now, timeline])
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

    /// Stores statuses that are in no timeline, such as search results, or become part of one later, with
    /// ``replace(_:with:hasGap:now:)``.
    /// - Returns: Their keys.
    package func add(_ entries: [TimelineEntry], now: Int64) async throws -> [StatusKey] {
        try await database.write { db in
            let statuses = StoredStatuses(db: db, owner: try Self.ownerID(owner, in: db))
            for entry in entries { _ = try statuses.save(entry, now: now) }
            return entries.compactMap { StatusKey($0.status.id) }
        }
    }

    /// Replaces all entries of a timeline by stored statuses, except for those that have been deleted meanwhile.
    /// - Parameters:
    ///   - keys: In the order of the timeline.
    ///   - hasGap: Whether there is more at the server.
    func replace(_ name: TimelineName, with keys: [StatusKey], hasGap: Bool, now: Int64) async throws {
        try await change(name, TimelineRange(), now: now) { rows, statuses, _ in
            try rows.replace(with: keys.compactMap(statuses.id), hasGap: hasGap, in: statuses)
        }
    }

    /// Removes those of the statuses that are in no timeline.
    func removeUnused(_ keys: [StatusKey]) async throws {
        try await database.write { db in
            let statuses = StoredStatuses(db: db, owner: try Self.ownerID(owner, in: db))
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

extension OfflineStore {
    /// The position up to which the server's changes have been applied.
    struct ChangeState: Equatable, Sendable {
        /// `nil` if the server has no change feed.
        let position: String?
        /// The time of this finding, in milliseconds since 1970.
        let time: Int64
    }

    /// The maximum age of a fetched status that is kept after a `resync`, in milliseconds: usually, the newest statuses
    /// have just been fetched.
    private static let verifiedAge: Int64 = 86_400_000

    /// - Returns: `nil` before the first call of ``OfflineSync/applyChanges()``.
    func changeState() async throws -> ChangeState? { try await database.read { db in try changeState(in: db) } }

    private func changeState(in db: Database) throws -> ChangeState? {
        let sql = "SELECT position, position_time FROM owner WHERE name = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [owner]),
            let time = Int64.fromDatabaseValue(row[1])
        else { return nil }
        return ChangeState(position: String.fromDatabaseValue(row[0]), time: time)
    }

    /// Replaces edited statuses and removes deleted ones in all timelines, and stores the new state. After a `resync`,
    /// nobody knows which of the stored statuses have been deleted, so they are removed.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    func apply(_ changes: [ChangeFeedEntry], _ state: ChangeState) async throws {
        try await database.write { db in
            let account = try Self.ownerID(owner, in: db)
            let statuses = StoredStatuses(db: db, owner: account)
            for change in changes {
                if change.event == "resync" { try removeUnverified(statuses, at: state.time) }
                guard let key = change.id.flatMap({ StatusKey($0) }) else { continue }
                switch change.event {
                case "delete": try statuses.remove(key)
                case "status.update": if let entry = change.entry { try statuses.replace(key, entry.json) }
                default: break
                }
            }
            // What happened before the first position is not in the feed.
            let isFirst = try state.position != nil && changeState(in: db)?.position == nil
            let events = isFirst ? ["resync"] : Set(changes.map(\.event))
            try NewsTable(db: db, owner: account).add(events)
            let sql = "UPDATE owner SET position = ?, position_time = ? WHERE id = ?"
            try db.execute(sql: sql, arguments: [state.position, state.time, account])
        }
    }

    /// Removes what was fetched before the last changes were applied, or more than a day ago.
    /// - Parameter now: Milliseconds since 1970.
    private func removeUnverified(_ statuses: StoredStatuses, at now: Int64) throws {
        let synced = try changeState(in: statuses.db)?.time ?? 0
        try statuses.removeFetched(upTo: max(synced, now.subtractingSaturating(Self.verifiedAge)))
    }
}

extension OfflineStore {
    /// Removes everything that is stored for the owner, also from the unused parts of the file.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func removeAll() async throws {
        try await database.write { db in
            let sql = "SELECT id FROM owner WHERE name = ?"
            guard let account = try Int64.fetchOne(db, sql: sql, arguments: [owner]) else { return }
            for statement in [
                "DELETE FROM entry WHERE timeline IN (SELECT id FROM timeline WHERE owner = ?)",
                "DELETE FROM timeline WHERE owner = ?", "DELETE FROM status WHERE owner = ?",
                "DELETE FROM read_position WHERE owner = ?", "DELETE FROM owner WHERE id = ?",
            ] { try db.execute(sql: statement, arguments: [account]) }
        }
        try await database.compact()
    }
}
