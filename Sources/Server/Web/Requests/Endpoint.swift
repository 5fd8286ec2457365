import FeedCore
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
        case page(CachedPageResponse)
    }

    package let method: HTTPRequest.Method
    package let path: RoutePattern
    let access: AccessRule
    let action: Action
    /// The limits that its requests count against.
    let limits: [RateLimiter.Kind]
    /// Whether pages send their forms here.
    let isForm: Bool
    /// Whether web applications of other origins may read its responses (``CORSRule``).
    let isShared: Bool

    init(method: HTTPRequest.Method, path: RoutePattern, access: AccessRule, action: Action) {
        (self.method, self.path, self.access, self.action) = (method, path, access, action)
        limits = RateRule.kinds(method, route: path.pattern, path: path.pattern)
        isForm = method != .get && method != .head && CrossSiteRule.Place(path.pattern) == .page
        isShared = CORSRule.isShared(path.pattern)
    }
}

/// Collects the endpoints of the controllers. Each endpoint must declare its ``AccessRule``.
final class Endpoints {
    private(set) var all: [Endpoint] = []

    func get(_ path: String, _ access: AccessRule, use handler: @escaping Endpoint.Handler) {
        add(.get, path, access, .task(handler))
    }
    func head(_ path: String, _ access: AccessRule, use handler: @escaping Endpoint.Handler) {
        add(.head, path, access, .task(handler))
    }
    func post(_ path: String, _ access: AccessRule, use handler: @escaping Endpoint.Handler) {
        add(.post, path, access, .task(handler))
    }
    func put(_ path: String, _ access: AccessRule, use handler: @escaping Endpoint.Handler) {
        add(.put, path, access, .task(handler))
    }
    func patch(_ path: String, _ access: AccessRule, use handler: @escaping Endpoint.Handler) {
        add(.patch, path, access, .task(handler))
    }
    func delete(_ path: String, _ access: AccessRule, use handler: @escaping Endpoint.Handler) {
        add(.delete, path, access, .task(handler))
    }

    /// An endpoint that usually answers from memory.
    /// - Parameter memory: Returns `nil` for a request that `handler` must answer.
    func get(
        _ path: String, _ access: AccessRule,
        fromMemory memory: @escaping @Sendable (Request, RequestContext) throws -> Response?,
        otherwise handler: @escaping Endpoint.Handler
    ) {
        add(.get, path, access, .memory(memory, otherwise: handler))
    }

    /// An endpoint that always answers from memory.
    func immediate(
        _ path: String, _ access: AccessRule, _ answer: @escaping @Sendable (Request, RequestContext) throws -> Response
    ) {
        add(.get, path, access, .memory(answer, otherwise: { try answer($0, $1) }))
    }

    /// An endpoint that answers with pages that many requests share.
    func page(_ path: String, _ access: AccessRule, _ page: CachedPageResponse) { add(.get, path, access, .page(page)) }

    private func add(_ method: HTTPRequest.Method, _ path: String, _ access: AccessRule, _ action: Endpoint.Action) {
        all.append(Endpoint(method: method, path: RoutePattern(path), access: access, action: action))
        // The same address (RFC 3986 §6.2.2.2): some clients encode every reserved character.
        guard path.utf8.starts(with: "/@".utf8) else { return }
        let encoded = RoutePattern("/%40" + String(Substring(path.utf8.dropFirst(2))))
        all.append(Endpoint(method: method, path: encoded, access: access, action: action))
    }
}
