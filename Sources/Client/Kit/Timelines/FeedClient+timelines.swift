import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOHTTP1

extension FeedClient {
    static let statusesPerPage = 40

    /// A page of a timeline.
    /// - Parameters:
    ///   - name: The timeline.
    ///   - limit: The maximum number of statuses; the server may send fewer.
    ///   - maxID: Only statuses older than this one.
    ///   - sinceID: Only statuses newer than this one.
    /// - Throws: ``FeedClientError``.
    public func timeline(
        _ name: TimelineName, limit: Int = 20, maxID: String? = nil, sinceID: String? = nil
    ) async throws -> TimelinePage {
        try await page(of: try await path(of: name), limit, TimelineRange(before: maxID, since: sinceID))
    }

    /// The newest statuses of a timeline, from as many pages as necessary.
    /// - Parameters:
    ///   - count: The maximum number of statuses.
    ///   - range: The part of the timeline to read.
    ///   - countsRepetitions: Whether a status that several accounts have boosted counts several times.
    /// - Throws: ``FeedClientError``.
    public func statuses(
        of name: TimelineName, count: Int, in range: TimelineRange = TimelineRange(), countsRepetitions: Bool = true
    ) async throws -> [TimelineEntry] {
        var statuses: [TimelineEntry] = []
        try await readStatuses(of: name, count: count, in: range, countsRepetitions: countsRepetitions) { page in
            statuses += page
            return true
        }
        return statuses
    }

    /// Reads the newest statuses of a timeline, from as many pages as necessary, of which only one is in memory at a time.
    /// - Parameters:
    ///   - count: The maximum number of statuses.
    ///   - range: The part of the timeline to read.
    ///   - countsRepetitions: Whether a status that several accounts have boosted counts several times.
    ///   - onPage: Receives the statuses of each page, the newest first, before the next page is requested. Returns
    ///     whether to read on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readStatuses(
        of name: TimelineName, count: Int, in range: TimelineRange = TimelineRange(), countsRepetitions: Bool = true,
        onPage: (_ statuses: [TimelineEntry]) async throws -> Bool
    ) async throws {
        let limit = StatusLimit(count: count, countsRepetitions: countsRepetitions)
        try await readSegments(of: name, limit, in: range) { _, statuses in try await onPage(statuses) }
    }

    /// Reads the newest statuses of a timeline, from as many pages as necessary.
    /// - Parameters:
    ///   - limit: Takes the statuses.
    ///   - lookup: How the cache is used to find the account or the list.
    ///   - onSegment: Receives each page, whose upper bound is the last status of the page before, and those of its
    ///     statuses that belong to the result. Returns whether to read on.
    func readSegments(
        of name: TimelineName, _ limit: StatusLimit, in range: TimelineRange, lookup: CachePolicy? = nil,
        onSegment: (_ segment: TimelineSegment, _ statuses: [TimelineEntry]) async throws -> Bool
    ) async throws {
        var limit = limit
        var pages = pages(of: name, in: range).makeAsyncIterator()
        pages.lookup = lookup
        var upper = range.before
        while limit.missing > 0 {
            pages.limit = min(Self.statusesPerPage, limit.missing)
            guard let page = try await pages.next() else { return }
            let segment = TimelineSegment(page, TimelineRange(before: upper, since: range.since), limit: pages.limit)
            upper = page.entries.last?.status.id ?? upper
            let statuses = Array(page.entries.prefix(while: { limit.take($0) }))
            guard try await onSegment(segment, statuses) else { return }
        }
    }

    func page(
        of path: TimelinePath, _ limit: Int, _ range: TimelineRange
    ) async throws -> TimelinePage {
        let response = try await transport.send(pageRequest(path, limit, range))
        let elements = try elements(of: response, as: Entity.Status.self)
        let entries = elements.compactMap { element in
            element.value.map { TimelineEntry(status: $0, json: element.json) }
        }
        return TimelinePage(entries: entries, links: response.links, oldestID: elements.last?.id)
    }

    private func pageRequest(_ path: TimelinePath, _ limit: Int, _ range: TimelineRange) -> HTTPClientRequest {
        let paging = [("limit", String(limit)), ("max_id", range.before), ("since_id", range.since)]
        return request(path.path, query: path.query + paging)
    }

    /// Whether the server can confirm the newest page of a timeline with a validator, so that it is not sent again.
    /// - Parameter lookup: How the cache is used to find the account or the list.
    func canConfirmPage(of name: TimelineName, _ limit: Int, lookup: CachePolicy) async throws -> Bool {
        guard let cache = transport.cache else { return false }
        return await cache.canConfirm(pageRequest(try await path(of: name, lookup), limit, TimelineRange()).url)
    }

    /// A path, and its query items other than the range.
    typealias TimelinePath = (path: String, query: [(String, String?)])

    func path(of name: TimelineName, _ lookup: CachePolicy? = nil) async throws -> TimelinePath {
        switch name {
        case .home: (Paths.homeTimeline, [])
        case .public: (Paths.publicTimeline, [])
        case .local: (Paths.publicTimeline, [("local", "true")])
        case .account(let username):
            (
                Paths.accounts + "/" + Self.percentEncoded(try await account(named: username, lookup).id) + "/statuses",
                []
            )
        case .tag(let name): (Paths.tagTimeline + "/" + Self.percentEncoded(name), [])
        case .list(let name):
            (Paths.listTimeline + "/" + Self.percentEncoded(try await list(named: name, lookup).id), [])
        case .favourites: (Paths.favourites, [])
        case .bookmarks: (Paths.bookmarks, [])
        }
    }
}

/// Takes statuses from the pages of a timeline up to a number.
struct StatusLimit: Sendable {
    private let count: Int
    let countsRepetitions: Bool
    private var taken = 0
    /// The ids of the statuses that have been taken; for a boost, the id of the boosted status.
    private var ids: Set<String> = []

    init(count: Int, countsRepetitions: Bool) {
        self.count = count
        self.countsRepetitions = countsRepetitions
    }

    /// The number of missing statuses.
    var missing: Int { max(0, count - (countsRepetitions ? taken : ids.count)) }

    /// Takes the next entry, unless there are enough. A repetition is taken in any case, because it names another account
    /// that has boosted the status.
    /// - Returns: Whether the entry was taken; if not, the following ones do not belong to the result either.
    mutating func take(_ entry: TimelineEntry) -> Bool {
        let id = (entry.status.reblog?.value ?? entry.status).id
        guard missing > 0 || (!countsRepetitions && ids.contains(id)) else { return false }
        taken += 1
        if !countsRepetitions { ids.insert(id) }
        return true
    }
}

/// The pages of a timeline from the newest to the oldest. Each page is requested when the loop reaches it.
///
/// ```swift
/// for try await page in client.pages(of: .home) {
///     for entry in page.entries { print(entry.status.id) }
/// }
/// ```
///
/// The sequence ends after the last page, when the server repeats a page or links to a newer one, or after 1,000 pages. It throws
/// ``FeedClientError`` or `CancellationError`.
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
        /// How the cache is used to find the account or the list.
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
