public import FeedAPI
import Foundation

/// The pages of a timeline from the newest to the oldest. Each page is requested when the loop reaches it.
///
/// ```swift
/// for try await page in client.pages(of: .home) {
///     for entry in page.entries { print(entry.status.id) }
/// }
/// ```
///
/// The sequence ends after the last page, when the server repeats a page or links to a newer one, or after 1,000 pages.
/// It throws ``FeedClientError`` or `CancellationError`.
public struct TimelinePages: AsyncSequence, Sendable {
    let client: FeedClient
    let name: TimelineName
    let range: TimelineRange
    let limit: Int

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The sequence ends after this many pages, even if the server keeps sending more.
        private static let maximumPages = 1000

        private let client: FeedClient
        private let name: TimelineName
        private var range: TimelineRange
        private var path: FeedClient.TimelinePath?
        private var cursors: PageCursors
        /// The statuses of the last page, to notice a page that is repeated.
        private var lastIDs: [String] = []
        private var remaining = Self.maximumPages
        /// The maximum number of statuses of the next page.
        var limit: Int
        /// The use of the cache to find the account or the list.
        var lookup: CachePolicy?

        init(pages: TimelinePages) {
            (client, name, range, limit) = (pages.client, pages.name, pages.range, pages.limit)
            cursors = PageCursors(range.before)
        }

        public mutating func next() async throws -> TimelinePage? {
            guard remaining > 0 else { return nil }
            let path = if let path { path } else { try await client.path(of: name, lookup) }
            let page = try await client.page(of: path, limit, range)
            self.path = path
            let ids = page.entries.map(\.status.id)
            guard ids.isEmpty || ids != lastIDs else {
                remaining = 0
                return nil
            }
            lastIDs = ids
            range.before = page.nextMaxID
            let isNew = range.before.map { cursors.advance(to: $0) } ?? false
            remaining = isNew ? remaining - 1 : 0
            return page
        }
    }
}

extension FeedClient {
    /// The pages of a timeline.
    /// - Parameters:
    ///   - range: The part of the timeline to read.
    ///   - limit: The maximum number of statuses per page; the server may send fewer.
    public func pages(
        of name: TimelineName, in range: TimelineRange = TimelineRange(), limit: Int = 40
    ) -> TimelinePages {
        TimelinePages(client: self, name: name, range: range, limit: limit)
    }
}

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

    /// The `max_id` of the next page; `nil` on the last page. Lists of favourites are not sorted
    /// by the ids of their statuses, so the server's link takes precedence.
    var nextMaxID: String? {
        links.next == nil ? nil : links.nextMaxID ?? oldestID
    }
}

/// The positions at which pages begin (`max_id`). Stops reading when a server links to the same page again, or to a
/// newer one; otherwise, the pages might never end.
struct PageCursors {
    private var seen: Set<String> = []
    private var oldest: StatusKey?

    /// - Parameter first: Where the first page begins, if not with the newest entry.
    init(_ first: String? = nil) {
        if let first { _ = advance(to: first) }
    }

    /// - Returns: Whether the page that begins at `cursor` is older than those before.
    mutating func advance(to cursor: String) -> Bool {
        guard seen.insert(cursor).inserted else { return false }
        guard let key = StatusKey(cursor) else { return true }
        defer { oldest = key }
        return oldest.map { key < $0 } ?? true
    }
}

extension LinkHeader {
    /// The value of `max_id` in the URL of the next page.
    var nextMaxID: String? { next.flatMap { Self.queryItem("max_id", of: $0) } }

    /// The value of `min_id` in the URL of the previous page.
    var previousMinID: String? { previous.flatMap { Self.queryItem("min_id", of: $0) } }

    private static func queryItem(_ name: String, of url: String) -> String? {
        URLComponents(string: url)?.queryItems?.first { $0.name == name }?.value
    }
}
