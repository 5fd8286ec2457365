import AsyncHTTPClient
public import FeedAPI

extension FeedClient {
    private static let maximumUploads = 3
    /// The statuses after which an upload is repeated. Others, such as 507 for a full quota, would occur again.
    private static let temporaryStatuses: Set<Int> = [429, 502, 503, 504]

    /// Uploads a media file, streamed from the disk, and waits until the server has processed it.
    ///
    /// The upload is repeated if the connection is lost or the server is busy. A file that is not attached to a status
    /// is deleted by the server after some time, usually a day.
    /// - Parameters:
    ///   - file: The file and its description.
    ///   - progress: Called with the number of bytes that have been sent; starts again at 0 if the upload is repeated.
    /// - Returns: The processed media, whose id goes into ``Draft/mediaIDs``.
    /// - Throws: ``FeedClientError``; `.failed` if the server refuses the file, `.tryLater` if it has not processed it
    ///   within about five minutes.
    public func uploadMedia(
        _ file: MediaFile, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> Entity.MediaAttachment {
        try await uploadMedia(file, pauses: ProcessingPauses.standard, progress: progress)
    }

    /// - Parameter pauses: The pauses before each question whether the file has been processed.
    func uploadMedia(
        _ file: MediaFile, pauses: [Duration], progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> Entity.MediaAttachment {
        let fields = [("description", file.description), ("focus", file.focus?.parameter)]
        let uploaded = try await send(try FileForm(file.path, fields: fields), progress: progress)
        do {
            return try await processed(uploaded, pauses: pauses)
        } catch {
            await discardMedia([uploaded.id])
            throw error
        }
    }

    /// Sends a form. It may be repeated, because the server removes what is not attached to a status.
    private func send(
        _ form: FileForm, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> Entity.MediaAttachment {
        var attempt = 1
        while true {
            do {
                var request = request(Paths.mediaUpload)
                form.add(to: &request, progress: progress)
                let response = try await transport.send(request, timeout: Self.uploadTimeout)
                return try response.decode(Entity.MediaAttachment.self)
            } catch let error as FeedClientError {
                guard attempt < Self.maximumUploads, error.status.map({ Self.temporaryStatuses.contains($0) }) ?? true,
                    let delay = RetryPolicy.delay(after: error, attempt: attempt)
                else { throw error }
                try await Task.sleep(for: delay)
                attempt += 1
            }
        }
    }
}
