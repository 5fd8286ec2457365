import FeedAPI
import Foundation
import GRDB

/// Reads and decodes the entries of a stored timeline. A value is valid only within one database access.
struct TimelineReader {
    private let rows: TimelineRows
    private var collected: CollectedStatuses
    private var gaps: Set<Int> = []

    init(rows: TimelineRows, count: Int, countsRepetitions: Bool) {
        self.rows = rows
        collected = CollectedStatuses(count: count, countsRepetitions: countsRepetitions)
    }

    mutating func read(_ range: TimelineRange, syncedAt: Int64) throws -> StoredTimeline {
        let since = range.since.flatMap { StatusKey($0) }
        var before = range.before.flatMap { StatusKey($0) }
        let startsWithGap = try before.flatMap(rows.nearest(from:))?.hasGap ?? false
        // Repetitions are rare, so this is one query.
        while collected.missing > 0 {
            let limit = collected.missing
            let found = try rows.entries(before: before, since: since, limit: limit)
            for row in found { append(row) }
            guard found.count == limit, let last = found.last, let key = String.fromDatabaseValue(last[0]) else {
                break
            }
            before = StatusKey(text: key)
        }
        let entries = collected.entries.enumerated().map { index, entry in
            StoredTimeline.Entry(entry, hasGap: gaps.contains(index))
        }
        return StoredTimeline(entries: entries, startsWithGap: startsWithGap, syncedAt: syncedAt)
    }

    /// Leaves out a damaged row, but not its gap.
    private mutating func append(_ row: Row) {
        if let json = Data.fromDatabaseValue(row[2]),
            let status = try? JSONDecoder().decode(Entity.Status.self, from: json)
        {
            collected.append([TimelineEntry(status: status, json: Array(json))])
        }
        if Int64.fromDatabaseValue(row[1]) != 0 { gaps.insert(collected.entries.count - 1) }
    }
}
