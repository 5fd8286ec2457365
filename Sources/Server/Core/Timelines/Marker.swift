/// An account's read position in a timeline.
package struct Marker: Sendable, Equatable {
    /// A timeline with a marker. The raw values are stored and used in JSON.
    package enum Timeline: String, Sendable, CaseIterable { case home, notifications }

    package var timeline: Timeline
    package var lastReadID: Int64
    /// The number of times the marker has been moved.
    package var version: Int
    /// Milliseconds since 1970, UTC.
    package var updatedAt: Int64

    package init(timeline: Timeline, lastReadID: Int64, version: Int, updatedAt: Int64) {
        self.timeline = timeline
        self.lastReadID = lastReadID
        self.version = version
        self.updatedAt = updatedAt
    }
}

/// Stores read positions.
package protocol MarkerStoring: Sendable {
    /// The markers an account has set for the given timelines.
    func markers(of account: Int64, _ timelines: Set<Marker.Timeline>) async throws -> [Marker]
    /// Moves markers in one transaction. A marker may also be moved backwards.
    /// - Parameter versions: The versions that the caller has seen; `nil` for a marker that did not exist. Markers that
    ///   are missing here are moved in any case.
    /// - Returns: The moved markers.
    /// - Throws: ``FeedError`` `.conflict`, without moving any, if a marker has been moved elsewhere since then.
    func move(
        _ positions: [Marker.Timeline: Int64], from versions: [Marker.Timeline: Int?], of account: Int64
    ) async throws -> [Marker]
}
