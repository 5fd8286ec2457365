import FeedCore
import FeedFiles
import FeedStore
import HTTPTypes

/// The content of media attachments, at addresses that cannot be guessed: `/media/RANDOM/NAME`.
struct MediaFileController: Sendable {
    /// A year, as long as HTTP caches keep anything (RFC 9111 §5.2.2.1).
    private static let caching = "public, max-age=31536000, immutable"

    let media: MediaStore
    let blobs: any BlobStoring
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/media/:key/:name", .open, use: show)
        endpoints.head("/media/:key/:name", .open, use: show)
    }

    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let (key, name) = (try context.segment("key"), try context.segment("name"))
        guard let (media, isNoindex) = try await media.publicMedia(key: key), let file = media.file(named: name) else {
            throw FeedError(.notFound, "No such file")
        }
        var headers: HTTPFields = [.cacheControl: Self.caching]
        headers.setIndexing(isRefused: isNoindex)
        let content = ContentResponse(
            representation: RepresentationMetadata(
                tag: EntityTag(hash: file.blob.hash), modified: media.createdAt / 1000, size: file.blob.size),
            type: file.format.mediaType, description: Self.description(name, file.format),
            common: headers, now: clock.now() / 1000)
        return try content.response(to: request) {
            .blob(try blobs.open(file.blob, name: name), context)
        }
    }

    /// Headers that keep the content from running as a page of this site.
    private static func description(_ name: String, _ format: MediaFormat) -> HTTPFields {
        [
            .contentSecurityPolicy: MediaType.securityPolicy(format.mediaType),
            .contentDisposition: ContentDisposition.value("inline", name: name),
        ]
    }
}
