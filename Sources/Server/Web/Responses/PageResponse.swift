import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird

extension Services {
    /// Responds with a cached page, compressed if the client accepts that, or with 304 if it has the page.
    ///
    /// Only for pages that contain no secret: the size of a compressed response tells something about its content
    /// (BREACH). Pages with a form, whose seal is one, are never cached.
    /// - Parameters:
    ///   - key: The key of the page in its cache.
    ///   - isReusable: Whether the response may be stored.
    ///   - type: The media type.
    ///   - headers: Further header fields.
    func response<Key>(
        with page: CachedPage, for key: Key, in cache: ChangeLogCache<Key, CachedPage>, isReusable: Bool = true,
        _ type: String, to request: Request, _ context: FeedContext, headers: HTTPFields
    ) async throws -> Response {
        let accepted = ContentCoding(accepted: request.headers[.acceptEncoding])
        if isReusable { context.notes.content = .page(page, for: key, in: cache, accepted) }
        var headers = headers
        headers[.vary] = [headers[.vary], "Accept-Encoding"].compactMap(\.self).joined(separator: ", ")
        // Both representations are acceptable, and the page need not be compressed again to know its tag.
        for coding in [accepted, .identity] where Preconditions.isNotModified(request, page.tag.coded(coding)) {
            headers[.eTag] = page.tag.coded(coding).text
            return Response(status: .notModified, headers: headers)
        }
        let short = try await accepted == .gzip ? page.compressedBody() : nil
        headers[.eTag] = page.tag.coded(short == nil ? .identity : .gzip).text
        headers[.contentEncoding] = short == nil ? nil : ContentCoding.gzip.rawValue
        headers[.contentType] = type
        headers[.link] = page.link
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: short ?? page.body))
    }
}
