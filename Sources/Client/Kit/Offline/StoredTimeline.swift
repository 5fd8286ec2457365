import FeedAPI
import Foundation
import GRDB

/// The stored statuses of a timeline.
public struct StoredTimeline: Sendable {
    /// A stored status.
    public struct Entry: Sendable {
        public let entry: TimelineEntry
        /// Whether statuses that are older than this one, and newer than the next one, may not have been loaded.
        public var hasGap: Bool

        public init(_ entry: TimelineEntry, hasGap: Bool = false) {
            self.entry = entry
            self.hasGap = hasGap
        }
    }

    /// The newest first.
    public let entries: [Entry]
    /// Whether statuses between the upper end of the requested range and the first entry may not have been loaded.
    public let startsWithGap: Bool
    /// The time of the last fetch of the newest statuses, in milliseconds since 1970; 0 if only older ones were
    /// fetched.
    public let syncedAt: Int64

    /// Whether the newest statuses have been fetched. Otherwise, there may be statuses above the first stored one.
    public var hasNewest: Bool { syncedAt > 0 }

    /// The entries down to the first gap.
    public var unbroken: [TimelineEntry] {
        let end = entries.firstIndex(where: \.hasGap).map { $0 + 1 } ?? entries.count
        return entries.prefix(end).map(\.entry)
    }
}

/// A stored timeline from the newest to the oldest status, in parts. Each part is read when the loop reaches it.
///
/// ```swift
/// for try await part in store.parts(of: .home, count: 1000) {
///     for entry in part.entries { print(entry.entry.status.id) }
/// }
/// ```
///
/// The sequence is empty if nothing has been stored; otherwise, it has at least one part, which may have no entries. It
/// throws ``FeedClientError`` `.disk` or `CancellationError`.
///
/// ``StoredTimeline/startsWithGap`` of a further part tells whether statuses between it and the part before it may not
/// have been loaded.
public struct StoredTimelineParts: AsyncSequence, Sendable {
    /// The maximum number of statuses of a part: more than a terminal has rows for.
    static let size = 400

    let store: OfflineStore
    let name: TimelineName
    let start: StoredTimelineReader.Position

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: self) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let parts: StoredTimelineParts
        private var position: StoredTimelineReader.Position?

        init(parts: StoredTimelineParts) {
            self.parts = parts
            position = parts.start
        }

        public mutating func next() async throws -> StoredTimeline? {
            guard let position else { return nil }
            let part = try await parts.store.part(of: parts.name, from: position, count: StoredTimelineParts.size)
            self.position = part?.next
            return part?.timeline
        }
    }
}

/// Reads and decodes the entries of a stored timeline. A value is valid only within one database access.
struct StoredTimelineReader {
    /// The position at which a part of a timeline begins.
    struct Position: Sendable {
        fileprivate let since: StatusKey?
        fileprivate var before: StatusKey?
        fileprivate var limit: StatusLimit
        /// Whether there is no part before this one.
        fileprivate var isStart = true

        init(_ range: TimelineRange, count: Int, countsRepetitions: Bool) {
            since = range.since.flatMap { StatusKey($0) }
            before = range.before.flatMap { StatusKey($0) }
            limit = StatusLimit(count: count, countsRepetitions: countsRepetitions)
        }
    }

    /// A part of a timeline.
    struct Part: Sendable {
        let timeline: StoredTimeline
        /// The position of the next part; `nil` if this one is the last.
        let next: Position?
    }

    let rows: TimelineEntryTable
    /// The time of the last fetch of the newest statuses, in milliseconds since 1970; 0 if only older ones were
    /// fetched.
    let syncedAt: Int64

    /// - Parameter count: The maximum number of rows to read.
    func part(from start: Position, count: Int) throws -> Part {
        var position = start
        var entries: [StoredTimeline.Entry] = []
        var startsWithGap = try start.isStart && (start.before.flatMap(rows.nearest(from:))?.hasGap ?? false)
        var (remaining, isEnd) = (count, false)
        // Repetitions are rare, so this is one query.
        while remaining > 0, position.limit.missing > 0, !isEnd {
            let size = min(position.limit.missing, remaining)
            let page = try rows.entries(before: position.before, since: position.since, limit: size)
            for row in page {
                if let entry = entry(row), position.limit.take(entry) { entries.append(StoredTimeline.Entry(entry)) }
                guard Int64.fromDatabaseValue(row[1]) != 0 else { continue }
                if entries.isEmpty { startsWithGap = true } else { entries[entries.count - 1].hasGap = true }
            }
            remaining -= page.count
            position.before = page.last.flatMap { String.fromDatabaseValue($0[0]) }.map { StatusKey(text: $0) }
            isEnd = page.count < size || position.before == nil
        }
        position.isStart = false
        let isLast = isEnd || position.limit.missing == 0
        return Part(
            timeline: StoredTimeline(entries: entries, startsWithGap: startsWithGap, syncedAt: syncedAt),
            next: isLast ? nil : position)
    }

    /// - Returns: `nil` if the row is damaged. It is left out, but not its gap.
    private func entry(_ row: Row) -> TimelineEntry? {
        guard let json = Data.fromDatabaseValue(row[2]),
            let status = try? JSONDecoder().decode(Entity.Status.self, from: json)
        else { return nil }
        return TimelineEntry(status: status, json: Array(json))
    }
}
