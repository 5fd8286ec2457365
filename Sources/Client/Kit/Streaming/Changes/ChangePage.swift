import AsyncHTTPClient
import FeedAPI
import Foundation

/// A page of the change feed.
public struct ChangePage: Sendable {
    /// The changes, the oldest one first.
    public let changes: [Change]
    /// The position of the last row that was examined; the next page begins there.
    public let position: String
    /// Whether there is more already.
    public let hasMore: Bool
}

extension FeedClient {
    /// A page of the change feed, which feedserver offers.
    /// - Parameters:
    ///   - position: The position after which the page begins; `nil` for the current one.
    ///   - limit: The maximum number of changes.
    ///   - wait: How long the server waits for a change, in seconds, at most 30.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if the server has no change feed.
    public func changes(since position: String?, limit: Int = 40, wait: Int = 0) async throws -> ChangePage {
        let query = [("since", position), ("limit", String(limit)), ("wait", wait > 0 ? String(wait) : nil)]
        let response = try await transport.send(request(Paths.changes, query: query))
        let page = try decode(ChangeFeedPage.self, response)
        let texts = JSONText.elements(of: JSONText.member("changes", of: response.bytes) ?? [])
        guard texts.count == page.changes.count else {
            throw FeedClientError(.failed, "The server's response could not be understood")
        }
        let changes = zip(page.changes, texts).compactMap { change, text in
            change.value.map { Change($0, json: JSONText.member("status", of: Array(text))) }
        }
        return ChangePage(changes: changes, position: page.position, hasMore: page.more)
    }
}

extension Change {
    fileprivate init(_ change: ChangeFeedPage.Change, json: [UInt8]?) {
        let entry = change.status?.value.map { TimelineEntry(status: $0, json: json ?? []) }
        self.init(position: change.position, event: change.event, id: change.id, time: change.at, entry: entry)
    }
}

private struct ChangeFeedPage: Decodable {
    struct Change: Decodable, Sendable {
        let position: String
        let event: String
        let id: String?
        let at: String?
        let status: Tolerant<Entity.Status>?
    }

    let position: String
    let more: Bool
    let changes: [Tolerant<Change>]
}
