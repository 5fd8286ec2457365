/// Which part of a timeline is asked for. Ids are exclusive, as in the Mastodon API.
package struct Page: Sendable, Equatable {
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

    /// The lower bound in force.
    package var floor: Int64? { [sinceID, minID].compactMap(\.self).max() }

    /// `min_id` reads upwards from its bound; everything else reads downwards from the newest.
    package var readsUpwards: Bool { minID != nil }
}
