import FeedAPI

/// Stores fetched parts of a timeline. A value is valid only within one database access.
struct TimelineSaving {
    let name: TimelineName
    let rows: TimelineEntryTable
    let statuses: StatusTable
    /// Milliseconds since 1970.
    let now: Int64

    /// - Parameter isUnchanged: Whether nothing has been stored since the parts were requested. Otherwise, another process
    ///   may have stored newer statuses, which the first part cannot contain.
    func save(_ segments: [TimelineSegment], isUnchanged: Bool) throws {
        guard name.isSortedByID else { return try replace(with: segments) }
        for segment in segments {
            guard var part = part(segment) else { continue }
            if part.before == nil, !isUnchanged {
                guard let newest = part.keys.first else { continue }
                part.before = newest.successor
            }
            try rows.merge(part, ids(of: segment, keys: Set(part.keys)), in: statuses)
        }
    }

    private func ids(of segment: TimelineSegment, keys: Set<StatusKey>) throws -> [StatusKey: Int64] {
        try segment.entries.reduce(into: [:]) { ids, entry in
            guard let key = StatusKey(entry.status.id), keys.contains(key) else { return }
            ids[key] = try statuses.save(entry, now: now)
        }
    }

    /// The part that a segment covers, cut to the bounds of its request, because the server may have ignored them.
    /// - Returns: `nil` if it says nothing.
    private func part(_ segment: TimelineSegment) -> TimelineMerge.Fetched? {
        let before = segment.range.before.map { StatusKey($0) }
        let since = segment.range.since.map { StatusKey($0) }
        // An id that no server would use.
        if before == .some(nil) || since == .some(nil) { return nil }
        return part(segment, before: before ?? nil, since: since ?? nil)
    }

    private func part(_ segment: TimelineSegment, before: StatusKey?, since: StatusKey?) -> TimelineMerge.Fetched? {
        let sent = Set(segment.entries.compactMap { StatusKey($0.status.id) })
        let keys = sent.filter { key in before.map { key < $0 } ?? true && since.map { key > $0 } ?? true }
        guard let end = end(segment, lowest: keys.min(), since: since) else { return nil }
        let part = TimelineMerge.Fetched(keys: keys.sorted(by: >), before: before, since: since, end: end)
        if part.isMeaningless { return nil }
        if let before, let lowest = part.lowest, end != .truncated, lowest >= before { return nil }
        return part
    }

    /// - Returns: `nil` if a server says that there is more, but not where.
    private func end(_ segment: TimelineSegment, lowest: StatusKey?, since: StatusKey?) -> TimelineMerge.End? {
        guard let next = segment.next else { return name.isTruncatedByServer ? .truncated : .beginning }
        guard let end = [StatusKey(next), lowest].compactMap(\.self).min() else { return nil }
        return .more(max(end, since?.successor ?? end))
    }

    private func replace(with segments: [TimelineSegment]) throws {
        let ids = try segments.flatMap(\.entries).compactMap { try statuses.save($0, now: now) }
        try rows.replace(with: ids, hasGap: segments.last?.next != nil, in: statuses)
    }
}

/// A part of a timeline as a server sent it.
public struct TimelineSegment: Sendable {
    /// The statuses, the newest first.
    public let entries: [TimelineEntry]
    /// The part that was requested.
    public let range: TimelineRange
    /// The id below which the rest of the requested part begins (`max_id`); `nil` if the server has no more.
    public let next: String?

    public init(entries: [TimelineEntry], range: TimelineRange = TimelineRange(), next: String? = nil) {
        self.entries = entries
        self.range = range
        self.next = next
    }

    /// - Parameter limit: The number of statuses that were requested. A full page is not the last one, even if the server
    ///   does not say where the next one begins.
    init(_ page: TimelinePage, _ range: TimelineRange, limit: Int) {
        let isFull = page.entries.count >= limit
        self.init(entries: page.entries, range: range, next: page.nextMaxID ?? (isFull ? page.oldestID : nil))
    }
}
