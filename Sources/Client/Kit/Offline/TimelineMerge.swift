/// Decides how a fetched part of a timeline changes its stored entries.
///
/// Below a stored entry is either the next older status of the timeline, or a gap: statuses that may exist and are not
/// stored. There is always a gap above the newest entry; it is not recorded.
///
/// The fetched part is compared with the entries in and around its range: those that were not sent are removed, and its
/// lowest entry gets a gap below it unless it reaches what is stored.
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
