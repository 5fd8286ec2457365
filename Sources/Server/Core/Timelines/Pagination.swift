/// The requested page of a list. Ids are exclusive bounds, as in the Mastodon API.
package struct Pagination: Sendable, Equatable {
    package var limit: Int
    /// Only entries older than this id.
    package let maxID: Int64?
    /// Only entries newer than this id; the page contains the newest of them.
    package let sinceID: Int64?
    /// Only entries newer than this id; the page contains the oldest of them.
    package let minID: Int64?

    /// The valid range of bounds. Queries add or subtract one, which must not overflow.
    private static let bounds: ClosedRange<Int64> = 0...(.max - 1)

    /// Clamps the bounds to the valid range.
    package init(limit: Int, maxID: Int64? = nil, sinceID: Int64? = nil, minID: Int64? = nil) {
        self.limit = limit
        self.maxID = maxID.map(Self.clamped)
        self.sinceID = sinceID.map(Self.clamped)
        self.minID = minID.map(Self.clamped)
    }

    private static func clamped(_ id: Int64) -> Int64 { min(max(id, bounds.lowerBound), bounds.upperBound) }

    /// The same page with one more entry, which shows whether another page follows.
    package var fetchingOneExtra: Pagination {
        var page = self
        page.limit += 1
        return page
    }

    /// The effective lower bound.
    package var floor: Int64? { [sinceID, minID].compactMap(\.self).max() }

    /// Whether entries are read in ascending order from `minID`, instead of in descending order from the newest one.
    package var isAscending: Bool { minID != nil }
}

/// A page of a list, newest entry first.
///
/// The bounds cover all examined entries, including those the viewer may not see. A page can therefore be short or
/// empty although another page follows.
package struct Page<Entry: Sendable>: Sendable {
    package var entries: [Entry]
    /// The page id of the newest examined entry.
    package var newest: Int64?
    /// The page id of the oldest examined entry.
    package var oldest: Int64?
    /// Whether a page with older entries follows.
    package var hasOlder: Bool
    /// The first entry of the following page, if it was read.
    package var following: Entry?
    /// Whether reading stopped before the page was full.
    package var endsEarly = false

    package init(entries: [Entry], newest: Int64?, oldest: Int64?, hasOlder: Bool) {
        self.entries = entries
        self.newest = newest
        self.oldest = oldest
        self.hasOlder = hasOlder
    }

    /// A page without entries.
    package static var empty: Page { Page(entries: [], newest: nil, oldest: nil, hasOlder: false) }
}
