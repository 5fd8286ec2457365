import AsyncHTTPClient
import FeedAPI
public import Foundation
import NIOCore
import NIOHTTP1

/// A status that has not been posted yet.
public struct Draft: Sendable {
    public var text: String
    /// A content warning.
    public var spoilerText: String?
    /// `public`, `unlisted`, `private` or `direct`; `nil` for the server's default.
    public var visibility: String?
    public var inReplyToID: String?
    public var language: String?

    public init(text: String) { self.text = text }
}

extension FeedClient {
    /// Posts a status.
    /// - Parameters:
    ///   - draft: The status to post.
    ///   - idempotencyKey: Prevents a second status when the same request is repeated, if the server supports it.
    /// - Throws: ``FeedClientError``.
    public func post(_ draft: Draft, idempotencyKey: String = UUID().uuidString) async throws -> TimelineEntry {
        var request = formRequest(
            Paths.statuses,
            [
                ("status", draft.text), ("spoiler_text", draft.spoilerText), ("visibility", draft.visibility),
                ("in_reply_to_id", draft.inReplyToID), ("language", draft.language),
            ])
        request.headers.add(name: "Idempotency-Key", value: idempotencyKey)
        return try Self.entry(try await transport.send(request))
    }

    /// Deletes a status of this account.
    /// - Throws: ``FeedClientError``.
    public func delete(_ id: String) async throws -> TimelineEntry {
        var request = request(Paths.statuses + "/" + Self.percentEncoded(id))
        request.method = .DELETE
        return try Self.entry(try await transport.send(request))
    }
}
