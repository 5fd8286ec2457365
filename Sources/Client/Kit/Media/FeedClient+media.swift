import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOHTTP1

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
        let form = try MultipartForm(file.path, fields: fields, picture: file.thumbnail.map { ("thumbnail", $0) })
        let uploaded = try await send(form, progress: progress)
        do {
            return try await processed(uploaded, pauses: pauses)
        } catch {
            await discardMedia([uploaded.id])
            throw error
        }
    }

    /// Sends a form. It may be repeated, because the server removes what is not attached to a status.
    private func send(
        _ form: MultipartForm, progress: @escaping @Sendable (Int64) -> Void
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
                    let delay = RetryRule.delay(after: error, attempt: attempt)
                else { throw error }
                try await Task.sleep(for: delay)
                attempt += 1
            }
        }
    }
}

extension FeedClient {
    /// The state of an uploaded media file. Its `url` is `nil` while the server processes it.
    /// - Throws: ``FeedClientError``; `.failed` if the file cannot be processed.
    public func media(_ id: String) async throws -> Entity.MediaAttachment {
        try await transport.send(request(Self.path(ofMedia: id))).decode(Entity.MediaAttachment.self)
    }

    static func path(ofMedia id: String) -> String { Paths.media + "/" + percentEncoded(id) }

    /// Waits until the server has processed a file.
    /// - Parameter pauses: The pauses before each question.
    /// - Throws: ``FeedClientError`` `.tryLater` if it has not been processed after the last one.
    func processed(
        _ uploaded: Entity.MediaAttachment, pauses: [Duration]
    ) async throws -> Entity.MediaAttachment {
        var media = uploaded
        for pause in pauses where media.url == nil {
            try await Task.sleep(for: pause)
            media = try await self.media(uploaded.id)
        }
        guard media.url != nil else {
            throw FeedClientError(
                .tryLater, "The server has not processed the file in time", hint: "Try again later.")
        }
        return media
    }
}

/// The polling intervals while a file is being processed.
enum ProcessingPauses {
    private static let first = 250
    private static let longest = 5000
    private static let count = 64

    /// Pauses that double, up to five seconds; five minutes altogether.
    static let standard = (0..<count).map { Duration.milliseconds(min(longest, first << min($0, 8))) }
}

extension FeedClient {
    /// Changes the description or the focus of uploaded media, before it is attached to a status.
    /// - Parameters:
    ///   - description: The new description; `nil` to keep it.
    ///   - focus: The new focus; `nil` to keep it.
    /// - Throws: ``FeedClientError``.
    public func updateMedia(
        _ id: String, description: String? = nil, focus: Entity.MediaAttachment.Focus? = nil
    ) async throws -> Entity.MediaAttachment {
        var request = formRequest(
            Self.path(ofMedia: id), [("description", description), ("focus", focus?.parameter)])
        request.method = .PUT
        return try await transport.send(request).decode(Entity.MediaAttachment.self)
    }

    /// Deletes uploaded media that is not attached to a status.
    /// - Throws: ``FeedClientError``, including when the media is attached, or the server cannot delete media.
    public func deleteMedia(_ id: String) async throws {
        var request = request(Self.path(ofMedia: id))
        request.method = .DELETE
        _ = try await transport.send(request)
    }

    /// Deletes media that is no longer needed. An error is ignored, because the server deletes such media by itself.
    func discardMedia(_ ids: [String]) async {
        for id in ids { try? await deleteMedia(id) }
    }
}
