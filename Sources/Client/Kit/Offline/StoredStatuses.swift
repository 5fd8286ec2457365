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
