/// Which part of a timeline is asked for. Ids are exclusive, as in the Mastodon API.
package struct Pagination: Sendable, Equatable {
    package var limit: Int
    /// Only older ones.
    package let maxID: Int64?
    /// Only newer ones, the newest of them first.
    package let sinceID: Int64?
    /// Only newer ones, those that follow it directly.
    package let minID: Int64?

    /// What a bound may be: queries step past it by one in either direction, and no id comes near the upper end.
    private static let bounds: ClosedRange<Int64> = 0...(.max - 1)

    /// Bounds outside the range of ids are moved to its nearest end.
    package init(limit: Int, maxID: Int64? = nil, sinceID: Int64? = nil, minID: Int64? = nil) {
        self.limit = limit
        self.maxID = maxID.map(Self.clamped)
        self.sinceID = sinceID.map(Self.clamped)
        self.minID = minID.map(Self.clamped)
    }

    private static func clamped(_ id: Int64) -> Int64 { min(max(id, bounds.lowerBound), bounds.upperBound) }

    /// The same page with room for one entry more, which tells whether there is a further page.
    package var withProbe: Pagination {
        var page = self
        page.limit += 1
        return page
    }

    /// The lower bound in force.
    package var floor: Int64? { [sinceID, minID].compactMap(\.self).max() }

    /// `min_id` reads upwards from its bound; everything else reads downwards from the newest.
    package var readsUpwards: Bool { minID != nil }
}

/// A page of a list, the newest entry first. Its bounds are those of what was looked at, since some of that may not be shown:
/// a page may be short, even empty, and still have a next one.
package struct Page<Entry: Sendable>: Sendable {
    package var entries: [Entry]
    package var newest: Int64?
    package var oldest: Int64?
    package var hasOlder: Bool

    package init(entries: [Entry], newest: Int64?, oldest: Int64?, hasOlder: Bool) {
        self.entries = entries
        self.newest = newest
        self.oldest = oldest
        self.hasOlder = hasOlder
    }

    /// Nothing.
    package static var empty: Page { Page(entries: [], newest: nil, oldest: nil, hasOlder: false) }
}
