import FeedCore
import FeedFiles
import Hummingbird
import NIOCore

/// The content of a 200 response that later requests may share.
///
/// A handler that sets it promises that its response, apart from the preconditions of the request, depends only on the
/// method, the target, the Host and the scheme of the request, the account of its token, and the settings.
struct ReusableContent: Sendable {
    /// The entity tag with which the endpoint evaluates If-None-Match; `nil` if it ignores preconditions.
    let tag: EntityTag?
    /// The memory in bytes that only this value keeps alive.
    var cost = 0
    /// The content, for as long as it is up to date.
    let current: @Sendable () -> ByteBuffer?
}

extension ReusableContent {
    /// A page, which is up to date as long as its cache has the same one.
    static func page<Key>(
        _ page: CachedPage, for key: Key, in cache: ChangeLogCache<Key, CachedPage>
    ) -> ReusableContent {
        ReusableContent(tag: page.tag) { [tag = page.tag] in
            guard let known = cache.cached(key), known.tag == tag else { return nil }
            return known.body
        }
    }

    /// Content that never changes while the server runs.
    /// - Parameter bytes: Shared with the place that the content comes from.
    static func constant(_ bytes: ByteBuffer, tag: EntityTag?) -> ReusableContent {
        ReusableContent(tag: tag) { bytes }
    }
}

/// An outbound event that a handler triggers before its response: the response may be stored and sent again.
struct ReusableResponse: Sendable {
    let content: ReusableContent
    let access: Access
    /// The pattern of the route; `nil` if none matches.
    let route: String?
    /// The path of the request.
    let path: String
    /// The account for which the content was computed.
    let viewer: Int64?
}

extension FeedContext {
    /// Lets ``StoredResponseHandler`` keep the response, if its handler has set ``RequestNotes/content``.
    func offerResponse(to request: Request, _ access: Access) {
        guard let content = notes.content else { return }
        channel.triggerUserOutboundEvent(
            ReusableResponse(
                content: content, access: access, route: coreContext.endpointPath.value, path: request.uri.path,
                viewer: viewer?.account.id), promise: nil)
    }
}
