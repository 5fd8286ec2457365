public import Foundation

/// The result of scheduling a status.
public enum SchedulingResult: Sendable {
    case scheduled(ScheduledEntry)
    /// The server has posted the status instead: an earlier request with the same key scheduled it, and it has been
    /// published since, or the server cannot schedule.
    case posted(TimelineEntry)
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
    ) async throws -> SchedulingResult {
        let request = postRequest(draft, scheduledAt: time, idempotencyKey: idempotencyKey)
        let response = try await transport.send(request)
        if let scheduled = try? Self.scheduled(response) { return .scheduled(scheduled) }
        return .posted(try Self.entry(response))
    }

    /// Uploads files and lets the server post a status to which they are attached, as ``post(_:attaching:idempotencyKey:progress:)``.
    public func schedule(
        _ draft: Draft, at time: Int64, attaching files: [MediaFile], idempotencyKey: String = UUID().uuidString,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in }
    ) async throws -> SchedulingResult {
        try await attaching(files, to: draft, progress: progress) { draft in
            try await schedule(draft, at: time, idempotencyKey: idempotencyKey)
        }
    }
}
