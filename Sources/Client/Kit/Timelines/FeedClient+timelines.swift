import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOHTTP1

/// Which timeline is asked for.
public enum TimelineName: Hashable, Sendable {
    /// Those one follows, and one's own.
    case home
    /// Public statuses of everybody.
    case everyone
    /// One account's, by its name without `@`.
    case account(String)
}

/// A status as it came: decoded, and as the server wrote it.
public struct TimelineEntry: Sendable {
    public let status: Entity.Status
    /// The JSON object.
    public let json: [UInt8]

    public init(status: Entity.Status, json: [UInt8]) {
        self.status = status
        self.json = json
    }
}

/// A part of a timeline, the newest first.
public struct TimelinePage: Sendable {
    public let entries: [TimelineEntry]
    /// The neighbouring pages.
    public let links: LinkHeader

    public init(entries: [TimelineEntry], links: LinkHeader = LinkHeader()) {
        self.entries = entries
        self.links = links
    }
}

extension FeedClient {
    /// - Parameters:
    ///   - limit: Statuses wanted; the server may give fewer.
    ///   - maxID: Only older ones than this.
    /// - Throws: ``FeedClientError``.
    public func timeline(_ name: TimelineName, limit: Int = 20, maxID: String? = nil) async throws -> TimelinePage {
        let path = try await path(of: name)
        let answer = try await transport.send(request(path, query: [("limit", String(limit)), ("max_id", maxID)]))
        return TimelinePage(entries: try Self.entries(answer), links: Self.links(answer))
    }

    /// As many statuses as asked for, page after page.
    public func statuses(of name: TimelineName, count: Int) async throws -> [TimelineEntry] {
        var entries: [TimelineEntry] = []
        while entries.count < count {
            let last = entries.last?.status.id
            let page = try await timeline(name, limit: min(40, count - entries.count), maxID: last)
            entries += page.entries
            // A server that gives the same page again must not keep us here.
            guard page.links.next != nil, let newest = page.entries.last?.status.id, newest != last else { break }
        }
        return Array(entries.prefix(max(0, count)))
    }

    /// One status.
    public func status(_ id: String) async throws -> TimelineEntry {
        try Self.entry(try await transport.send(request(Paths.statuses + "/" + Self.escaped(id))))
    }

    static func entry(_ answer: Answer) throws -> TimelineEntry {
        TimelineEntry(status: try answer.decode(Entity.Status.self), json: answer.bytes)
    }

    private func path(of name: TimelineName) async throws -> String {
        switch name {
        case .home: Paths.homeTimeline
        case .everyone: Paths.publicTimeline
        case .account(let username): Paths.accounts + "/" + (try await account(named: username).id) + "/statuses"
        }
    }

    private static func entries(_ answer: Answer) throws -> [TimelineEntry] {
        let statuses = try answer.decode([Entity.Status].self)
        let parts = JSONText.elements(of: answer.bytes)
        guard parts.count == statuses.count else {
            throw FeedClientError(.failed, "The server's answer makes no sense")
        }
        return zip(statuses, parts).map { TimelineEntry(status: $0, json: Array($1)) }
    }

    private static func links(_ answer: Answer) -> LinkHeader {
        LinkHeader(answer.head.headers["Link"].joined(separator: ", "))
    }
}
