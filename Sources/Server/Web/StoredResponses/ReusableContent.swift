import FeedCore
import FeedFiles
import Hummingbird
import NIOCore

/// The content of a response that later requests may share.
///
/// A handler that sets it promises that its response depends only on the method, the target, the Host and the scheme of
/// the request, the preferred ``ContentCoding``, the account of the token, the settings, and If-None-Match.
struct ReusableContent: Sendable {
    /// The entity tags that the endpoint compares with If-None-Match, in this order; none if it ignores preconditions.
    let tags: [EntityTag]
    /// The memory in bytes that only this value keeps alive.
    var cost = 0
    /// Whether the body is in memory once a request has computed it; `false` if it may be too large for that.
    var isRefreshable = true
    /// Whether the content is up to date.
    let isCurrent: @Sendable () -> Bool
    /// The body of a 200 response; `nil` if the content is out of date, or if the body is not in memory.
    let body: @Sendable () -> ByteBuffer?
}

extension ReusableContent {
    /// A page, which is up to date as long as its cache has the same one.
    /// - Parameter coding: The one that the client prefers.
    static func page<Key>(
        _ page: CachedPage, for key: Key, in cache: ChangeLogCache<Key, CachedPage>, _ coding: ContentCoding
    ) -> ReusableContent {
        let current = { @Sendable [tag = page.tag] () -> CachedPage? in
            cache.cached(key, countsHit: true).flatMap { $0.tag == tag ? $0 : nil }
        }
        return ReusableContent(
            tags: coding == .identity ? [page.tag] : [page.tag.coded(coding), page.tag],
            isCurrent: { current() != nil },
            body: { current().flatMap { coding == .identity ? $0.body : $0.knownBody } })
    }

    /// Content that never changes while the server runs.
    /// - Parameter bytes: Shared with the place that the content comes from.
    static func constant(_ bytes: ByteBuffer, tag: EntityTag?) -> ReusableContent {
        ReusableContent(tags: tag.map { [$0] } ?? [], isCurrent: { true }, body: { bytes })
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
