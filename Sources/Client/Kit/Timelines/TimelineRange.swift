/// The part of a timeline to read.
public struct TimelineRange: Sendable, Equatable {
    /// Only statuses older than the one with this id.
    public var before: String?
    /// Only statuses newer than the one with this id.
    public var since: String?

    public init(before: String? = nil, since: String? = nil) {
        self.before = before
        self.since = since
    }
}
