import Foundation
import GRDB

/// The stored statuses of an account. A value is valid only within one database access.
struct StoredStatuses {
    let db: Database
    let owner: Int64

    /// Adds a status, or replaces it with its present version.
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: The id of its row; `nil` if it has an id that no server would use.
    func save(_ entry: TimelineEntry, now: Int64) throws -> Int64? {
        guard let key = StatusKey(entry.status.id) else { return nil }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO status (owner, key, boosted, json, fetched_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (owner, key) DO UPDATE SET
                boosted = excluded.boosted, json = excluded.json, fetched_at = excluded.fetched_at
                RETURNING id
                """)
        let boosted = entry.status.reblog.flatMap { StatusKey($0.value.id) }
        return try Int64.fetchOne(
            statement, arguments: [owner, key.text, boosted?.text, Data(entry.json), now])
    }

    /// The row of a status; `nil` if it is not stored.
    func id(_ key: StatusKey) throws -> Int64? {
        let statement = try db.cachedStatement(sql: "SELECT id FROM status WHERE owner = ? AND key = ?")
        return try Int64.fetchOne(statement, arguments: [owner, key.text])
    }

    /// Replaces a status that is stored, also in its boosts.
    func replace(_ key: StatusKey, _ json: [UInt8]) throws {
        let json = Data(json)
        try db.execute(
            sql: "UPDATE status SET json = ? WHERE owner = ? AND key = ?", arguments: [json, owner, key.text])
        // A row may be damaged; the functions of SQLite fail on text that is not JSON.
        try db.execute(
            sql: """
                UPDATE status SET json = CAST(json_set(CAST(json AS TEXT), '$.reblog', json(CAST(?1 AS TEXT))) AS BLOB)
                WHERE owner = ?2 AND boosted = ?3 AND json_valid(CAST(json AS TEXT)) AND json_valid(CAST(?1 AS TEXT))
                """, arguments: [json, owner, key.text])
    }

    /// Removes a status and its boosts from all timelines.
    func remove(_ key: StatusKey) throws {
        let sql = "SELECT id FROM status WHERE owner = ?1 AND (key = ?2 OR boosted = ?2)"
        for id in try Int64.fetchAll(db, sql: sql, arguments: [owner, key.text]) { try remove(id, leavingGap: false) }
    }

    /// Removes the row of a status from all timelines.
    /// - Parameter leavingGap: Whether the status still exists.
    func remove(_ id: Int64, leavingGap: Bool) throws {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT timeline, key FROM entry WHERE status = ?"), arguments: [id])
        for row in rows {
            guard let timeline = Int64.fromDatabaseValue(row[0]), let key = String.fromDatabaseValue(row[1]) else {
                continue
            }
            try TimelineEntryTable(db: db, timeline: timeline).remove(StatusKey(text: key), leavingGap: leavingGap)
        }
        try db.cachedStatement(sql: "DELETE FROM status WHERE id = ?").execute(arguments: [id])
    }

    /// Removes the statuses that were last fetched up to a time, in milliseconds since 1970, and the timelines of which
    /// nothing remains.
    func removeFetched(upTo time: Int64) throws {
        let sql = "SELECT id FROM status WHERE owner = ? AND fetched_at <= ?"
        for id in try Int64.fetchAll(db, sql: sql, arguments: [owner, time]) { try remove(id, leavingGap: true) }
        try db.execute(
            sql: """
                DELETE FROM timeline WHERE owner = ? AND synced_at <= ?
                AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.timeline = timeline.id)
                """, arguments: [owner, time])
    }

    /// Removes a status that is no longer in any timeline.
    func removeIfUnused(_ id: Int64) throws {
        let sql = "DELETE FROM status WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM entry WHERE status = ?1)"
        try db.cachedStatement(sql: sql).execute(arguments: [id])
    }
}

/// The place of a status in a timeline that is sorted by ids. The ids of a server are numbers, where a longer one is
/// greater, or strings of equal length (ULID, Flake).
package struct StatusKey: Hashable, Sendable, Comparable {
    private static let maximumLength = 99
    private static let digits = 2

    /// The length of the id in two digits, and the id. The order of these texts in bytes is the order of the keys.
    let text: String

    /// - Returns: `nil` for an id that no server would use.
    package init?(_ id: String) {
        let bytes = id.utf8
        guard (1...Self.maximumLength).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        text = (bytes.count < 10 ? "0" : "") + String(bytes.count) + id
    }

    /// A key from the database.
    init(text: String) { self.text = text }

    package var id: String { String(text.dropFirst(Self.digits)) }

    /// The smallest key above this one. No id has this key, because ids contain no spaces.
    var successor: StatusKey { StatusKey(text: text + " ") }

    package static func < (one: StatusKey, other: StatusKey) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}

/// The entries of a stored timeline. A value is valid only within one database access.
struct TimelineEntryTable {
    let db: Database
    let timeline: Int64

    // MARK: Reading

    /// The entries in a range of keys, the newest first; both bounds are exclusive.
    func entries(before: StatusKey?, since: StatusKey?, limit: Int) throws -> [Row] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT entry.key, entry.has_gap, status.json FROM entry JOIN status ON status.id = entry.status
                WHERE entry.timeline = ? AND entry.key > ?\(before == nil ? "" : " AND entry.key < ?")
                ORDER BY entry.key DESC LIMIT ?
                """)
        var arguments: StatementArguments = [timeline, since?.text ?? ""]
        if let before { arguments += [before.text] }
        arguments += [limit]
        return try Row.fetchAll(statement, arguments: arguments)
    }

    /// The lowest entry at or above a key.
    func nearest(from key: StatusKey) throws -> TimelineMerge.Entry? {
        try entry("SELECT key, has_gap FROM entry WHERE timeline = ? AND key >= ? ORDER BY key LIMIT 1", key)
    }

    private func nearest(below key: StatusKey) throws -> TimelineMerge.Entry? {
        try entry("SELECT key, has_gap FROM entry WHERE timeline = ? AND key < ? ORDER BY key DESC LIMIT 1", key)
    }

    private func entry(_ sql: String, _ key: StatusKey) throws -> TimelineMerge.Entry? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [timeline, key.text]).flatMap(Self.entry)
    }

    private static func entry(_ row: Row) -> TimelineMerge.Entry? {
        guard let key = String.fromDatabaseValue(row[0]) else { return nil }
        return TimelineMerge.Entry(key: StatusKey(text: key), hasGap: Int64.fromDatabaseValue(row[1]) != 0)
    }

    /// The stored entries in and around a fetched part.
    private func surroundings(of fetched: TimelineMerge.Fetched) throws -> TimelineMerge.Stored {
        let sql = "SELECT key, has_gap FROM entry WHERE timeline = ? AND key >= ?"
        var arguments: StatementArguments = [timeline, fetched.lowest?.text ?? ""]
        if let before = fetched.before { arguments += [before.text] }
        let rows = try Row.fetchAll(
            db, sql: sql + (fetched.before == nil ? "" : " AND key < ?") + " ORDER BY key DESC", arguments: arguments)
        return TimelineMerge.Stored(
            within: rows.compactMap(Self.entry), above: try fetched.before.flatMap(nearest(from:)),
            below: try fetched.lowest.flatMap(nearest(below:))?.key)
    }

    // MARK: Writing

    /// Stores a fetched part.
    /// - Parameter ids: The rows of its statuses.
    func merge(_ fetched: TimelineMerge.Fetched, _ ids: [StatusKey: Int64], in statuses: StoredStatuses) throws {
        let merge = TimelineMerge(fetched, into: try surroundings(of: fetched))
        for key in merge.removed { try delete(key, in: statuses) }
        for (key, id) in ids { try insert(key, id, hasGap: merge.gaps[key] ?? false) }
        for (key, hasGap) in merge.gaps where ids[key] == nil { try setGap(key, hasGap) }
    }

    /// Replaces all entries.
    /// - Parameters:
    ///   - ids: The rows of the statuses, the newest first.
    ///   - hasGap: Whether there is more at the server.
    func replace(with ids: [Int64], hasGap: Bool, in statuses: StoredStatuses) throws {
        let old = try Int64.fetchAll(db, sql: "SELECT status FROM entry WHERE timeline = ?", arguments: [timeline])
        try db.execute(sql: "DELETE FROM entry WHERE timeline = ?", arguments: [timeline])
        for (index, id) in ids.enumerated() {
            guard let rank = StatusKey(String(ids.count - index)) else { continue }
            try insert(rank, id, hasGap: hasGap && index == ids.count - 1)
        }
        for id in old { try statuses.removeIfUnused(id) }
    }

    /// Removes an entry.
    /// - Parameter leavingGap: Whether its status still exists.
    func remove(_ key: StatusKey, leavingGap: Bool) throws {
        let isGap = try leavingGap || nearest(from: key).map { $0.key == key && $0.hasGap } ?? false
        try db.cachedStatement(sql: "DELETE FROM entry WHERE timeline = ? AND key = ?")
            .execute(arguments: [timeline, key.text])
        // Above the newest entry, nothing is known to be complete.
        if isGap, let above = try nearest(from: key) { try setGap(above.key, true) }
    }

    private func insert(_ key: StatusKey, _ status: Int64, hasGap: Bool) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO entry (timeline, key, status, has_gap) VALUES (?, ?, ?, ?)
                ON CONFLICT (timeline, key) DO UPDATE SET status = excluded.status, has_gap = excluded.has_gap
                """
        ).execute(arguments: [timeline, key.text, status, hasGap])
    }

    private func setGap(_ key: StatusKey, _ hasGap: Bool) throws {
        try db.cachedStatement(sql: "UPDATE entry SET has_gap = ? WHERE timeline = ? AND key = ?")
            .execute(arguments: [hasGap, timeline, key.text])
    }

    /// Removes an entry whose neighbours the rule has considered.
    private func delete(_ key: StatusKey, in statuses: StoredStatuses) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM entry WHERE timeline = ? AND key = ? RETURNING status")
        if let id = try Int64.fetchOne(statement, arguments: [timeline, key.text]) {
            try statuses.removeIfUnused(id)
        }
    }
}
