/// A part of a timeline as a server sent it.
public struct TimelineSegment: Sendable {
    /// The statuses, the newest first.
    public let entries: [TimelineEntry]
    /// The part that was requested.
    public let range: TimelineRange
    /// The id below which the rest of the requested part begins (`max_id`); `nil` if the server has no more.
    public let next: String?

    public init(entries: [TimelineEntry], range: TimelineRange = TimelineRange(), next: String? = nil) {
        self.entries = entries
        self.range = range
        self.next = next
    }

    /// - Parameter limit: The number of statuses that were requested. A full page is not the last one, even if the server
    ///   does not say where the next one begins.
    init(_ page: TimelinePage, _ range: TimelineRange, limit: Int) {
        let isFull = page.entries.count >= limit
        self.init(entries: page.entries, range: range, next: page.nextMaxID ?? (isFull ? page.oldestID : nil))
    }
}
