public import Foundation

extension FeedClient {
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
        for file in files { _ = try FileForm.size(of: file.path) }
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
}
