import Foundation
import GRDB

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
