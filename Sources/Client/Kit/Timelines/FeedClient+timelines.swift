import AsyncHTTPClient
import FeedAPI
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
