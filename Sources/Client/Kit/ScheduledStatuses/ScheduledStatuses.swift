import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

/// A scheduled status, decoded and as the server sent it.
public struct ScheduledEntry: Sendable {
    public let status: Entity.ScheduledStatus
    /// The JSON object that the server sent.
    public let json: [UInt8]
}

extension FeedClient {
    private static let scheduledPerPage = 40
    private static let maximumScheduledPages = 100

    /// All scheduled statuses of this account, the newest first.
    /// - Throws: ``FeedClientError``.
    public func scheduledStatuses() async throws -> [ScheduledEntry] {
        var (found, cursors) = ([ScheduledEntry](), PageCursors())
        var oldest: String?
        for _ in 0..<Self.maximumScheduledPages {
            let query = [("limit", String(Self.scheduledPerPage)), ("max_id", oldest)]
            let response = try await transport.send(request(Paths.scheduledStatuses, query: query))
            let statuses = try response.decode([Entity.ScheduledStatus].self)
            let entries = zip(statuses, JSONText.elements(of: response.bytes)).map {
                ScheduledEntry(status: $0, json: Array($1))
            }
            // Prevents an endless loop if the server repeats a page.
            guard let last = entries.last?.status.id, cursors.advance(to: last) else { return found }
            found += entries
            guard response.links.next != nil else { return found }
            oldest = last
        }
        return found
    }

    /// Changes the time of publication.
    /// - Parameter time: Milliseconds since 1970.
    /// - Throws: ``FeedClientError``.
    public func moveScheduledStatus(_ id: String, to time: Int64) async throws -> ScheduledEntry {
        var request = formRequest(
            Paths.scheduledStatuses + "/" + Self.percentEncoded(id),
            [("scheduled_at", ISO8601.text(milliseconds: time))])
        request.method = .PUT
        return try Self.scheduled(try await transport.send(request))
    }

    /// Deletes a scheduled status.
    /// - Throws: ``FeedClientError``.
    public func cancelScheduledStatus(_ id: String) async throws {
        var request = request(Paths.scheduledStatuses + "/" + Self.percentEncoded(id))
        request.method = .DELETE
        _ = try await transport.send(request)
    }

    static func scheduled(_ response: Response) throws -> ScheduledEntry {
        ScheduledEntry(status: try response.decode(Entity.ScheduledStatus.self), json: response.bytes)
    }
}
