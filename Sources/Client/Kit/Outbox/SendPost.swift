public import Foundation

extension FeedClient {
    /// Uploads the files of a post and posts or schedules it, without an outbox. After a lost response, nothing is known
    /// about it; ``Outbox/add(_:for:)`` prevents that.
    ///
    /// Files that have been uploaded are deleted again if the status cannot be sent, as in
    /// ``post(_:attaching:idempotencyKey:progress:)``.
    /// - Parameters:
    ///   - idempotencyKey: Prevents a second status when the same request is repeated, if the server supports it.
    ///   - progress: Called with the index of a file and the number of its bytes that have been sent.
    /// - Throws: ``FeedClientError``; `.notFound`, before anything is sent, if a file does not exist.
    public func send(
        _ post: OutboxPost, idempotencyKey: String = UUID().uuidString,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in }
    ) async throws -> SchedulingResult {
        try await attaching(post.files, to: post.draft, progress: progress) { draft in
            try await send(draft, at: post.scheduledAt, idempotencyKey: idempotencyKey)
        }
    }

    /// Posts a status now, or lets the server post it later.
    /// - Parameter time: Milliseconds since 1970; `nil` for now.
    func send(_ draft: Draft, at time: Int64?, idempotencyKey: String) async throws -> SchedulingResult {
        guard let time else { return .posted(try await post(draft, idempotencyKey: idempotencyKey)) }
        return try await schedule(draft, at: time, idempotencyKey: idempotencyKey)
    }
}
