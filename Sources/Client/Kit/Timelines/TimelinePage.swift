public import FeedAPI

/// A page of a timeline, the newest status first.
public struct TimelinePage: Sendable {
    public let entries: [TimelineEntry]
    /// The links to the next and the previous page.
    public let links: LinkHeader

    public init(entries: [TimelineEntry], links: LinkHeader = LinkHeader()) {
        self.entries = entries
        self.links = links
    }
}
