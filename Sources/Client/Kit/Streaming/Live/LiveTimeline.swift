import AsyncHTTPClient
import FeedAPI
import Foundation

extension FeedClient {
    /// The number of entries that are read at once after a gap.
    static let entriesPerPage = 40

    /// The newest statuses of a timeline and then each new one as it arrives.
    /// - Parameters:
    ///   - name: The timeline. Servers have no stream for the statuses of an account, which is therefore polled.
    ///   - count: The number of statuses to begin with.
    ///   - onOutage: Called when a lost connection could not be replaced at once.
    /// - Throws: ``FeedClientError`` if the list does not exist.
    public func liveTimeline(
        _ name: TimelineName, count: Int = 20, onOutage: (@Sendable (FeedClientError?) -> Void)? = nil
    ) async throws -> LiveEntries<TimelineEntry> {
        let path = try await path(of: name)
        let events = StreamEvents(client: self, stream: try await stream(of: name), onOutage: onOutage)
        return LiveEntries(
            source: LiveSource(
                events: events, id: \.status.id, entry: { if case .update(let entry) = $0 { entry } else { nil } },
                newest: { try await statuses(of: name, count: $0) }, page: { try await page(at: path, after: $0) }),
            count: count)
    }

    /// - Returns: `nil` if servers offer no stream.
    private func stream(of name: TimelineName) async throws -> StreamName? {
        switch name {
        case .home: .user
        case .public: .public
        case .list(let list): .list(try await self.list(named: list).id)
        default: nil
        }
    }

    private func page(at path: String, after id: String) async throws -> LiveSource<TimelineEntry>.Page {
        let response = try await transport.send(request(path, query: Self.query(after: id)))
        let entries = try elements(of: response, as: Entity.Status.self).compactMap { element in
            element.value.map { TimelineEntry(status: $0, json: element.json) }
        }
        return LiveSource.Page(entries: entries, next: Self.cursor(response))
    }

    /// `min_id` selects the oldest entries after an id, while `since_id` would skip some if there are many.
    static func query(after id: String) -> [(String, String?)] {
        [("limit", String(entriesPerPage)), ("min_id", id)]
    }

    /// The id after which the next newer page begins, from its address.
    static func cursor(_ response: Response) -> String? {
        response.links.previous.flatMap { URLComponents(string: $0)?.queryItems?.first { $0.name == "min_id" }?.value }
    }
}
