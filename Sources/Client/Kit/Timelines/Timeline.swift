import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOHTTP1

extension FeedClient {
    private static let statusesPerPage = 40

    /// A page of a timeline.
    /// - Parameters:
    ///   - name: The timeline.
    ///   - limit: The maximum number of statuses; the server may send fewer.
    ///   - maxID: Only statuses older than this one.
    /// - Throws: ``FeedClientError``.
    public func timeline(_ name: TimelineName, limit: Int = 20, maxID: String? = nil) async throws -> TimelinePage {
        let path = try await path(of: name)
        let response = try await transport.send(request(path, query: [("limit", String(limit)), ("max_id", maxID)]))
        let elements = try elements(of: response, as: Entity.Status.self)
        let entries = elements.compactMap { element in
            element.value.map { TimelineEntry(status: $0, json: element.json) }
        }
        return TimelinePage(entries: entries, links: response.links, oldestID: elements.last?.id)
    }

    /// The newest statuses of a timeline, from as many pages as necessary.
    /// - Throws: ``FeedClientError``.
    public func statuses(of name: TimelineName, count: Int) async throws -> [TimelineEntry] {
        var entries: [TimelineEntry] = []
        var maxID: String?
        while entries.count < count {
            let limit = min(Self.statusesPerPage, count - entries.count)
            let page = try await timeline(name, limit: limit, maxID: maxID)
            entries += page.entries
            // Prevents an endless loop if the server repeats a page.
            guard page.links.next != nil, let last = page.oldestID, last != maxID else { break }
            maxID = last
        }
        return Array(entries.prefix(max(0, count)))
    }

    func path(of name: TimelineName) async throws -> String {
        switch name {
        case .home: Paths.homeTimeline
        case .public: Paths.publicTimeline
        case .account(let username): Paths.accounts + "/" + (try await account(named: username).id) + "/statuses"
        case .list(let name): Paths.listTimeline + "/" + Self.percentEncoded(try await list(named: name).id)
        }
    }
}
