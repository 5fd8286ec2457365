public import FeedAPI

/// A page of a timeline, the newest status first.
public struct TimelinePage: Sendable {
    public let entries: [TimelineEntry]
    /// The links to the next and the previous page.
    public let links: LinkHeader

    /// The id of the last status, which ``entries`` lacks if it could not be decoded.
    public let oldestID: String?

    public init(entries: [TimelineEntry], links: LinkHeader = LinkHeader(), oldestID: String? = nil) {
        self.entries = entries
        self.links = links
        self.oldestID = oldestID ?? entries.last?.status.id
    }

    /// The value of `max_id` with which the next page begins; `nil` for the last page. Lists of favourites are not sorted
    /// by the ids of their statuses, so the server's link takes precedence.
    var nextMaxID: String? {
        links.next == nil ? nil : links.nextMaxID ?? oldestID
    }
}
