import AsyncHTTPClient
import FeedAPI
public import Foundation
import NIOHTTP1

/// A status that has not been posted yet.
public struct Draft: Codable, Sendable, Equatable {
    public var text: String
    /// A content warning.
    public var spoilerText: String?
    /// `public`, `unlisted`, `private` or `direct`; `nil` for the server's default.
    public var visibility: String?
    public var inReplyToID: String?
    public var language: String?
    /// Whether the media is hidden until the reader asks for it; `nil` for the server's default.
    public var isSensitive: Bool?
    /// The ids of uploaded media to attach, in this order; see ``FeedClient/uploadMedia(_:progress:)``.
    public var mediaIDs: [String] = []
    /// A poll; servers refuse it together with media.
    public var poll: PollDraft?

    public init(text: String) { self.text = text }
}

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

    /// Uploads files and posts a status to which they are attached.
    ///
    /// If a file cannot be uploaded or the status cannot be posted, the files that have been uploaded are deleted from
    /// the server. After a cancellation, and on servers that cannot delete media, they expire by themselves.
    /// - Parameters:
    ///   - draft: The status to post; the files are attached after its ``Draft/mediaIDs``.
    ///   - files: The files, in the order in which they are shown. Most servers accept up to four.
    ///   - idempotencyKey: Prevents a second status when the same request is repeated, if the server supports it.
    ///   - progress: Called with the index of a file and the number of its bytes that have been sent.
    /// - Throws: ``FeedClientError``; `.notFound`, before anything is sent, if a file does not exist.
    public func post(
        _ draft: Draft, attaching files: [MediaFile], idempotencyKey: String = UUID().uuidString,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in }
    ) async throws -> TimelineEntry {
        try await attaching(files, to: draft, progress: progress) { draft in
            try await post(draft, idempotencyKey: idempotencyKey)
        }
    }

    /// Uploads files, and deletes them again if the status to which they are attached cannot be sent.
    func attaching<Value>(
        _ files: [MediaFile], to draft: Draft, progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void,
        send: (Draft) async throws -> Value
    ) async throws -> Value {
        let uploaded = try await uploadAll(files, progress: progress)
        do {
            var draft = draft
            draft.mediaIDs += uploaded
            return try await send(draft)
        } catch {
            await discardMedia(uploaded)
            throw error
        }
    }

    /// Uploads files, and deletes them again if one of them fails.
    /// - Returns: The ids of the media, in the order of the files.
    func uploadAll(
        _ files: [MediaFile], progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void
    ) async throws -> [String] {
        for file in files { _ = try MultipartForm.size(of: file.path) }
        var uploaded: [String] = []
        do {
            for (index, file) in files.enumerated() {
                uploaded.append(try await attachment(file) { progress(index, $0) }.id)
            }
            return uploaded
        } catch {
            await discardMedia(uploaded)
            throw error
        }
    }

    /// Uploads a file. An error that the server reports names the file.
    private func attachment(
        _ file: MediaFile, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> Entity.MediaAttachment {
        do {
            return try await uploadMedia(file, progress: progress)
        } catch let error as FeedClientError where error.status != nil || error.code == .tryLater {
            throw FeedClientError(
                error.code, file.name + ": " + error.message, hint: error.hint, cause: error.cause,
                status: error.status, retryAfter: error.retryAfter)
        }
    }

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
    ) async throws -> ActionResult {
        if let action = post.action { return try await perform(action, post.draft) }
        return try await attaching(post.files, to: post.draft, progress: progress) { draft in
            try await send(draft, at: post.scheduledAt, idempotencyKey: idempotencyKey)
        }
    }

    /// Posts a status now, or lets the server post it later.
    /// - Parameter time: Milliseconds since 1970; `nil` for now.
    func send(_ draft: Draft, at time: Int64?, idempotencyKey: String) async throws -> ActionResult {
        guard let time else { return .posted(try await post(draft, idempotencyKey: idempotencyKey)) }
        return try await schedule(draft, at: time, idempotencyKey: idempotencyKey)
    }
}
