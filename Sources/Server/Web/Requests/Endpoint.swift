import FeedAPI
import FeedCore
import FeedFiles
package import HTTPTypes
import NIOCore

/// A method and a path of the server, who may call it, and how it answers. A class, because each request refers to one.
package final class Endpoint: Sendable {
    typealias Handler = @Sendable (Request, RequestContext) async throws -> Response

    enum Action: Sendable {
        /// Answers in a task, because something has to wait: a query, a body, a file, a stream.
        case task(Handler)
        /// Answers at once from memory; `nil` if it cannot, so that the handler must.
        case memory(@Sendable (Request, RequestContext) throws -> Response?, otherwise: Handler)
        /// Answers with a page that many requests share.
        case page(PageEndpoint)
    }

    package let method: HTTPRequest.Method
    package let path: RoutePath
    let access: Access
    let action: Action
    /// The limits that its requests count against.
    let limits: [RateLimiter.Kind]
    /// Whether pages send their forms here.
    let isForm: Bool
    /// Whether web applications of other origins may read its responses (``CrossOriginRule``).
    let isShared: Bool

    init(method: HTTPRequest.Method, path: RoutePath, access: Access, action: Action) {
        (self.method, self.path, self.access, self.action) = (method, path, access, action)
        limits = RateRule.kinds(method, route: path.pattern, path: path.pattern)
        isForm = method != .get && method != .head && SessionRule.Place(path.pattern) == .page
        isShared = CrossOriginRule.isShared(path.pattern)
    }
}

/// Collects the endpoints of the controllers. Each endpoint must declare its ``Access``.
final class Endpoints {
    private(set) var all: [Endpoint] = []

    func get(_ path: String, _ access: Access, use handler: @escaping Endpoint.Handler) {
        add(.get, path, access, .task(handler))
    }
    func head(_ path: String, _ access: Access, use handler: @escaping Endpoint.Handler) {
        add(.head, path, access, .task(handler))
    }
    func post(_ path: String, _ access: Access, use handler: @escaping Endpoint.Handler) {
        add(.post, path, access, .task(handler))
    }
    func put(_ path: String, _ access: Access, use handler: @escaping Endpoint.Handler) {
        add(.put, path, access, .task(handler))
    }
    func patch(_ path: String, _ access: Access, use handler: @escaping Endpoint.Handler) {
        add(.patch, path, access, .task(handler))
    }
    func delete(_ path: String, _ access: Access, use handler: @escaping Endpoint.Handler) {
        add(.delete, path, access, .task(handler))
    }

    /// An endpoint that usually answers from memory.
    /// - Parameter memory: Returns `nil` for a request that `handler` must answer.
    func get(
        _ path: String, _ access: Access,
        fromMemory memory: @escaping @Sendable (Request, RequestContext) throws -> Response?,
        otherwise handler: @escaping Endpoint.Handler
    ) {
        add(.get, path, access, .memory(memory, otherwise: handler))
    }

    /// An endpoint that always answers from memory.
    func immediate(
        _ path: String, _ access: Access, _ answer: @escaping @Sendable (Request, RequestContext) throws -> Response
    ) {
        add(.get, path, access, .memory(answer, otherwise: { try answer($0, $1) }))
    }

    /// An endpoint that answers with pages that many requests share.
    func page(_ path: String, _ access: Access, _ page: PageEndpoint) { add(.get, path, access, .page(page)) }

    private func add(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ action: Endpoint.Action) {
        all.append(Endpoint(method: method, path: RoutePath(path), access: access, action: action))
        // The same address (RFC 3986 §6.2.2.2): some clients encode every reserved character.
        guard path.utf8.starts(with: "/@".utf8) else { return }
        let encoded = RoutePath("/%40" + String(Substring(path.utf8.dropFirst(2))))
        all.append(Endpoint(method: method, path: encoded, access: access, action: action))
    }
}

/// An endpoint that answers with cached pages. The key of a page follows from the request and its viewer,
/// without a query.
///
/// The size of a compressed response tells something about its content (BREACH), so pages that contain a secret are not
/// compressed. Pages with a form, whose token is valid for one browser, are never cached.
struct PageEndpoint: Sendable {
    let cache: PageCache
    let type: String
    /// The other header fields of the response, of 304 too. Vary contains Accept-Encoding.
    let headers: HTTPFields
    /// If set, responses have Last-Modified, for clients that do not know entity tags.
    var clock: WallClock?
    let key: @Sendable (Request, RequestContext) throws -> PageKey
    /// Builds the page, possibly from the stale one, and returns what it depends on.
    let refresh: @Sendable (Request, RequestContext, StalePage?) async throws -> (CachedPage, ChangeDependencies)

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

extension PageEndpoint {
    /// An endpoint whose stale pages are always built from scratch.
    init(
        cache: PageCache, type: String, headers: HTTPFields, clock: WallClock? = nil,
        key: @escaping @Sendable (Request, RequestContext) throws -> PageKey,
        build: @escaping @Sendable (Request, RequestContext) async throws -> (CachedPage, ChangeDependencies)
    ) {
        self.init(
            cache: cache, type: type, headers: headers, clock: clock, key: key,
            refresh: { request, context, _ in try await build(request, context) })
    }
}
