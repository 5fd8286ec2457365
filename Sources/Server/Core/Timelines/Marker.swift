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
