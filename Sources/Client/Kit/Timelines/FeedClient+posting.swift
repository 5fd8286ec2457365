import AsyncHTTPClient
import FeedAPI
public import Foundation
import NIOCore
import NIOHTTP1

/// What is to be posted.
public struct Draft: Sendable {
    public var text: String
    public var spoilerText: String?
    /// public, unlisted, private or direct; the server's default without one.
    public var visibility: String?
    public var inReplyToID: String?
    public var language: String?

    public init(text: String) { self.text = text }
}

extension FeedClient {
    /// Posts a status. The key makes sure that trying again cannot post it twice, where the server knows such keys.
    /// - Throws: ``FeedClientError``.
    public func post(_ draft: Draft, idempotencyKey: String = UUID().uuidString) async throws -> TimelineEntry {
        var request = form(
            Paths.statuses,
            [
                ("status", draft.text), ("spoiler_text", draft.spoilerText), ("visibility", draft.visibility),
                ("in_reply_to_id", draft.inReplyToID), ("language", draft.language),
            ])
        request.headers.add(name: "Idempotency-Key", value: idempotencyKey)
        return try Self.entry(try await transport.send(request))
    }

    /// Deletes one of one's own statuses.
    public func delete(_ id: String) async throws -> TimelineEntry {
        var request = request(Paths.statuses + "/" + Self.escaped(id))
        request.method = .DELETE
        return try Self.entry(try await transport.send(request))
    }
}
