/// How far an account has read a timeline.
package struct Marker: Sendable, Equatable {
    /// The raw values are stored and are the words on the wire.
    package enum Timeline: String, Sendable, CaseIterable { case home, notifications }

    package var timeline: Timeline
    package var lastReadID: Int64
    /// Counts how often it was moved after it was made.
    package var version: Int
    /// Milliseconds since 1970.
    package var updatedAt: Int64

    package init(timeline: Timeline, lastReadID: Int64, version: Int, updatedAt: Int64) {
        self.timeline = timeline
        self.lastReadID = lastReadID
        self.version = version
        self.updatedAt = updatedAt
    }
}
