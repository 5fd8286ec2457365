/// Which part of a timeline is asked for. Ids are exclusive, as in the Mastodon API.
package struct Page: Sendable, Equatable {
    package var limit: Int
    /// Only older ones.
    package var maxID: Int64?
    /// Only newer ones, the newest of them first.
    package var sinceID: Int64?
    /// Only newer ones, those that follow it directly.
    package var minID: Int64?

    package init(limit: Int, maxID: Int64? = nil, sinceID: Int64? = nil, minID: Int64? = nil) {
        self.limit = limit
        self.maxID = maxID
        self.sinceID = sinceID
        self.minID = minID
    }

    /// The lower bound in force.
    package var floor: Int64? { [sinceID, minID].compactMap(\.self).max() }

    /// `min_id` reads upwards from its bound; everything else reads downwards from the newest.
    package var readsUpwards: Bool { minID != nil }
}
