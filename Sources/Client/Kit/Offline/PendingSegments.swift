/// Collects fetched parts of a timeline, so that they are stored in one transaction per second.
struct PendingSegments {
    /// In seconds.
    private static let interval = 1.0

    /// Whether all parts must be stored at once.
    let isAtOnce: Bool
    /// The revision of the timeline before they were fetched.
    let revision: Int64?
    private var segments: [TimelineSegment] = []
    private var lastTime = Monotonic.now

    init(isAtOnce: Bool, revision: Int64?) {
        self.isAtOnce = isAtOnce
        self.revision = revision
    }

    var isDue: Bool { !isAtOnce && Monotonic.now - lastTime >= Self.interval }

    mutating func append(_ segment: TimelineSegment) { segments.append(segment) }

    mutating func take() -> [TimelineSegment] {
        defer { segments = [] }
        lastTime = Monotonic.now
        return segments
    }
}
