import AsyncHTTPClient
public import FeedAPI
public import Foundation
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
        var (scheduled, cursors) = ([ScheduledEntry](), PageCursors())
        var oldest: String?
        for _ in 0..<Self.maximumScheduledPages {
            let query = [("limit", String(Self.scheduledPerPage)), ("max_id", oldest)]
            let response = try await transport.send(request(Paths.scheduledStatuses, query: query))
            let statuses = try response.decode([Entity.ScheduledStatus].self)
            let entries = zip(statuses, RawJSON.elements(of: response.bytes)).map {
                ScheduledEntry(status: $0, json: Array($1))
            }
            // Prevents an endless loop if the server repeats a page.
            guard let last = entries.last?.status.id, cursors.advance(to: last) else { return scheduled }
            scheduled += entries
            guard response.links.next != nil else { return scheduled }
            oldest = last
        }
        return scheduled
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

extension FeedClient {
    /// Lets the server post a status at a later time.
    /// - Parameters:
    ///   - draft: The status to post.
    ///   - time: Milliseconds since 1970, at least five minutes from now.
    ///   - idempotencyKey: Prevents a second status when the same request is repeated, if the server supports it.
    /// - Throws: ``FeedClientError``.
    public func schedule(
        _ draft: Draft, at time: Int64, idempotencyKey: String = UUID().uuidString
    ) async throws -> ActionResult {
        let request = postRequest(draft, scheduledAt: time, idempotencyKey: idempotencyKey)
        let response = try await transport.send(request)
        if let scheduled = try? Self.scheduled(response) { return .scheduled(scheduled) }
        return .posted(try Self.entry(response))
    }

    /// Uploads files and lets the server post a status to which they are attached, as ``post(_:attaching:idempotencyKey:progress:)``.
    public func schedule(
        _ draft: Draft, at time: Int64, attaching files: [MediaFile], idempotencyKey: String = UUID().uuidString,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in }
    ) async throws -> ActionResult {
        try await attaching(files, to: draft, progress: progress) { draft in
            try await schedule(draft, at: time, idempotencyKey: idempotencyKey)
        }
    }
}
