import FeedAPI

/// Decides how a fetched part of a timeline changes its stored entries.
///
/// Below a stored entry is either the next older status of the timeline, or a gap: statuses that may exist and are not
/// stored. There is always a gap above the newest entry; it is not recorded.
///
/// The fetched part is compared with the entries in and around its range: those that were not sent are removed, and its
/// lowest entry gets a gap below it unless it adjoins the stored entries.
struct TimelineMerge: Equatable, Sendable {
    /// A stored status of the timeline.
    struct Entry: Equatable, Sendable {
        let key: StatusKey
        /// Whether there may be statuses between this one and the next older one.
        var hasGap: Bool
    }

    /// The lower end of a fetched part.
    enum End: Equatable, Sendable {
        /// Down to this key. There may be older ones in the timeline.
        case more(StatusKey)
        /// Down to the last status: the server has no older ones, and neither has the timeline.
        case beginning
        /// Down to the last status: the server has no older ones, but may have had some, because it keeps only the
        /// newest statuses of the timeline.
        case truncated
    }

    /// A part of a timeline as the server sent it.
    struct Fetched: Equatable, Sendable {
        /// The newest first.
        var keys: [StatusKey]
        /// The bounds of the request; neither of them belongs to the part. Without an upper bound, the part includes the
        /// newest status of the timeline.
        var before, since: StatusKey?
        var end: End

        /// The lowest key that would have been sent if it existed; `nil` if there is no lowest one.
        var lowest: StatusKey? {
            switch end {
            case .more(let key): key
            case .beginning: since?.successor
            case .truncated: keys.last ?? before
            }
        }

        /// Whether the response says nothing about any status.
        var isMeaningless: Bool { end == .truncated && lowest == nil }
    }

    /// The stored entries of the timeline that the rule needs.
    struct Stored: Equatable, Sendable {
        /// The entries in the fetched part, the newest first.
        var within: [Entry] = []
        /// The nearest entry above it.
        var above: Entry?
        /// The nearest entry below it.
        var below: StatusKey?
    }

    /// The entries to remove: their statuses were not sent, although they are in the fetched part.
    private(set) var removed: [StatusKey] = []
    /// Whether there is a gap below an entry, for all fetched entries and for stored ones where this has changed.
    private(set) var gaps: [StatusKey: Bool] = [:]

    init(_ fetched: Fetched, into stored: Stored) {
        guard !fetched.isMeaningless else { return }
        let keys = Set(fetched.keys)
        removed = stored.within.map(\.key).filter { !keys.contains($0) }
        let hasGap = Self.hasGapBelow(fetched, stored)
        for key in fetched.keys { gaps[key] = key == fetched.keys.last && hasGap }
        guard let above = stored.above else { return }
        let isJoined = above.key == fetched.before
        let aboveHasGap = (!isJoined && above.hasGap) || (keys.isEmpty && hasGap)
        if aboveHasGap != above.hasGap { gaps[above.key] = aboveHasGap }
    }

    /// Whether there may be statuses below the fetched part that are not stored.
    private static func hasGapBelow(_ fetched: Fetched, _ stored: Stored) -> Bool {
        // If the lower end is in a range that was complete before, it still is.
        let wasIncomplete = (stored.within.last ?? stored.above)?.hasGap ?? true
        switch fetched.end {
        case .more: return stored.below == nil || wasIncomplete
        case .beginning, .truncated:
            guard let since = fetched.since else { return false }
            return stored.below != since && wasIncomplete
        }
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

/// Stores fetched parts of a timeline. A value is valid only within one database access.
struct TimelineSaving {
    let name: TimelineName
    let rows: TimelineEntryTable
    let statuses: StoredStatuses
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
