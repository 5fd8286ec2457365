import AsyncHTTPClient
import FeedAPI
public import Foundation
import NIOCore
import NIOHTTP1

extension FeedClient {
    /// Posts a status.
    /// - Parameters:
    ///   - draft: The status to post.
    ///   - idempotencyKey: Prevents a second status when the same request is repeated, if the server supports it.
    /// - Throws: ``FeedClientError``.
    public func post(_ draft: Draft, idempotencyKey: String = UUID().uuidString) async throws -> TimelineEntry {
        try Self.entry(try await transport.send(postRequest(draft, idempotencyKey: idempotencyKey)))
    }

    /// - Parameter time: When the server is to post the status, in milliseconds since 1970; `nil` for now.
    func postRequest(
        _ draft: Draft, scheduledAt time: Int64? = nil, idempotencyKey: String
    ) -> HTTPClientRequest {
        var request = formRequest(
            Paths.statuses,
            [
                ("status", draft.text), ("spoiler_text", draft.spoilerText), ("visibility", draft.visibility),
                ("in_reply_to_id", draft.inReplyToID), ("language", draft.language),
                ("sensitive", draft.isSensitive.map(String.init)),
                ("scheduled_at", time.map { ISO8601.text(milliseconds: $0) }),
            ] + draft.mediaIDs.map { ("media_ids[]", $0) } + (draft.poll?.fields ?? []))
        request.headers.add(name: "Idempotency-Key", value: idempotencyKey)
        return request
    }
}
