import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOHTTP1

/// A timeline.
public enum TimelineName: Hashable, Sendable {
    /// Statuses of this account and of the accounts that it follows.
    case home
    /// Public statuses of all accounts.
    case everyone
    /// Statuses of an account, by user name without `@`.
    case account(String)
}

/// A status, decoded and as the server sent it.
public struct TimelineEntry: Sendable {
    public let status: Entity.Status
    /// The JSON object that the server sent.
    public let json: [UInt8]

    public init(status: Entity.Status, json: [UInt8]) {
        self.status = status
        self.json = json
    }
}

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

extension FeedClient {
    private static let statusesPerPage = 40

    /// A page of a timeline.
    /// - Parameters:
    ///   - name: The timeline.
    ///   - limit: The largest number of statuses; the server may send fewer.
    ///   - maxID: Only statuses older than this one.
    /// - Throws: ``FeedClientError``.
    public func timeline(_ name: TimelineName, limit: Int = 20, maxID: String? = nil) async throws -> TimelinePage {
        let path = try await path(of: name)
        let response = try await transport.send(request(path, query: [("limit", String(limit)), ("max_id", maxID)]))
        return TimelinePage(entries: try Self.entries(response), links: response.links)
    }

    /// The newest statuses of a timeline, from as many pages as necessary.
    /// - Throws: ``FeedClientError``.
    public func statuses(of name: TimelineName, count: Int) async throws -> [TimelineEntry] {
        var entries: [TimelineEntry] = []
        while entries.count < count {
            let maxID = entries.last?.status.id
            let limit = min(Self.statusesPerPage, count - entries.count)
            let page = try await timeline(name, limit: limit, maxID: maxID)
            entries += page.entries
            // A server that repeats a page would otherwise be asked for ever.
            guard page.links.next != nil, let last = page.entries.last?.status.id, last != maxID else { break }
        }
        return Array(entries.prefix(max(0, count)))
    }

    /// A single status.
    /// - Throws: ``FeedClientError``.
    public func status(_ id: String) async throws -> TimelineEntry {
        try Self.entry(try await transport.send(request(Paths.statuses + "/" + Self.percentEncoded(id))))
    }

    static func entry(_ response: Response) throws -> TimelineEntry {
        TimelineEntry(status: try response.decode(Entity.Status.self), json: response.bytes)
    }

    private func path(of name: TimelineName) async throws -> String {
        switch name {
        case .home: Paths.homeTimeline
        case .everyone: Paths.publicTimeline
        case .account(let username): Paths.accounts + "/" + (try await account(named: username).id) + "/statuses"
        }
    }

    private static func entries(_ response: Response) throws -> [TimelineEntry] {
        let statuses = try response.decode([Entity.Status].self)
        let elements = JSONText.elements(of: response.bytes)
        guard elements.count == statuses.count else {
            throw FeedClientError(.failed, "The server's response could not be understood")
        }
        return zip(statuses, elements).map { TimelineEntry(status: $0, json: Array($1)) }
    }
}
