import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

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
    /// - Throws: ``FeedClientError``, also if the media is attached, or if the server cannot delete media.
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
