import FeedAPI
import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore

/// Responds with pages that are built once and cached. The key of a page follows from the request and its viewer,
/// without a query.
///
/// The size of a compressed response tells something about its content (BREACH), so pages that contain a secret are not
/// compressed. Pages with a form, whose token is valid for one browser, are never cached.
struct CachedPageResponse: Sendable {
    let cache: PageCache
    let type: String
    /// The other header fields of the response, of 304 too. Vary contains Accept-Encoding.
    let headers: HTTPFields
    /// If set, responses have Last-Modified, for clients that do not know entity tags.
    var clock: WallClock?
    let key: @Sendable (Request, RequestContext) throws -> PageKey
    /// Builds the page, possibly from the stale one, and returns what it depends on.
    let refresh: @Sendable (Request, RequestContext, StalePage?) async throws -> (CachedPage, CacheInvalidation)

    /// Answers from memory, with 304 if the client has the page.
    /// - Returns: `nil` if the page has to be built or compressed first.
    func known(to request: Request, _ context: RequestContext) throws -> Response? {
        guard let page = cache.cached(try key(request, context), countsHit: true) else { return nil }
        let accepted = accepted(by: request, page)
        if let response = notModified(page, request, accepted) { return response }
        guard accepted == .gzip else { return response(page, page.body, .identity) }
        switch page.compression.request(page.body) {
        case .identity: return response(page, page.body, .identity)
        case .gzip(let bytes): return response(page, bytes, .gzip)
        case .needed: return nil
        }
    }

    /// Answers with the page, and builds it if it is not in memory.
    func response(to request: Request, _ context: RequestContext) async throws -> Response {
        let page = try await page(with: try key(request, context), request, context)
        let accepted = accepted(by: request, page)
        if let response = notModified(page, request, accepted) { return response }
        guard accepted == .gzip, let bytes = await page.compression.bytes(of: page.body) else {
            return response(page, page.body, .identity)
        }
        return response(page, bytes, .gzip)
    }

    /// The page with this key. It is built only once, even if many requests wait for it.
    private func page(with key: PageKey, _ request: Request, _ context: RequestContext) async throws -> CachedPage {
        try await cache.value(
            for: key, cost: { $0.cost + key.cost },
            refresh: { stale in
                // The build belongs to the cache: it continues when its first client leaves.
                try await Task {
                    var (page, dependencies) = try await refresh(request, context, stale)
                    page.setHeaders(headers(of: page), type: type)
                    return (page, dependencies)
                }.value
            })
    }

    /// The pages of members are not compressed: other sites can open them with the cookie, and other people write parts of
    /// them. Timelines of the API are, because the cookie does not count there for other sites.
    private func accepted(by request: Request, _ page: CachedPage) -> ContentCoding {
        page.isPrivate ? .identity : ContentCoding(accepted: request.headers[.acceptEncoding])
    }

    /// The header fields of every response with the page.
    private func headers(of page: CachedPage) -> HTTPFields {
        guard page.isPrivate || page.isNoindex else { return headers }
        var headers = headers
        if page.isPrivate { headers[.cacheControl] = "private, no-cache" }
        headers.setIndexing(isRefused: page.isNoindex)
        return headers
    }

    /// Both representations are acceptable, and the page need not be compressed again to know its tag.
    private func notModified(_ page: CachedPage, _ request: Request, _ accepted: ContentCoding) -> Response? {
        guard request.headers.contains(.ifNoneMatch) else {
            return isUnmodified(page, request) ? notModified(page, page.tag.coded(accepted)) : nil
        }
        for tag in [page.tag.coded(accepted), page.tag] where Preconditions.isNotModified(request.headers, tag) {
            return notModified(page, tag)
        }
        return nil
    }

    private func notModified(_ page: CachedPage, _ tag: EntityTag) -> Response {
        var headers = headers(of: page)
        headers.append(HTTPField(name: .eTag, value: tag.headerValue))
        if let date = lastModified(page) { headers.append(date) }
        return Response(status: .notModified, headers: headers)
    }

    /// Whether the page has not changed since the date in If-Modified-Since (RFC 9110 §13.1.3).
    private func isUnmodified(_ page: CachedPage, _ request: Request) -> Bool {
        guard let builtAt = page.builtAt, let since = request.headers[.ifModifiedSince].flatMap(HTTPDate.seconds) else {
            return false
        }
        return builtAt / 1000 <= since
    }

    /// Within the second in which a page was built, it may change once more; until then, its date is the second before,
    /// with which no request finds it unmodified.
    private func lastModified(_ page: CachedPage) -> HTTPField? {
        guard let builtAt = page.builtAt, let clock else { return nil }
        let seconds = min(builtAt / 1000, clock.now() / 1000 - 1)
        return HTTPField(name: .lastModified, value: HTTPDate.text(seconds: seconds))
    }

    private func response(_ page: CachedPage, _ body: ByteBuffer, _ coding: ContentCoding) -> Response {
        var headers = page.headers[coding]
        if let date = lastModified(page) { headers.append(date) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}

extension CachedPageResponse {
    /// An endpoint whose stale pages are always built from scratch.
    init(
        cache: PageCache, type: String, headers: HTTPFields, clock: WallClock? = nil,
        key: @escaping @Sendable (Request, RequestContext) throws -> PageKey,
        build: @escaping @Sendable (Request, RequestContext) async throws -> (CachedPage, CacheInvalidation)
    ) {
        self.init(
            cache: cache, type: type, headers: headers, clock: clock, key: key,
            refresh: { request, context, _ in try await build(request, context) })
    }
}
