import HTTPTypes
import Hummingbird

/// Lets web applications of other origins use the API (CORS, Fetch Standard §3.2). Credentials are not allowed:
/// applications send a token, and browsers add no cookies. The authorization page and the files are not shared.
struct CrossOrigin: RouterMiddleware {
    typealias Context = FeedContext

    private static let paths: Set<Substring> = ["api", "nodeinfo", ".well-known"]
    private static let oauth: Set<Substring> = ["token", "revoke"]
    private static let preflight: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        .accessControlAllowHeaders: "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
        .accessControlMaxAge: "86400",
    ]

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isOpen(request.uri.path) else { return try await next(request, context) }
        let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        var response =
            isPreflight
            ? Response(status: .noContent, headers: Self.preflight) : try await next(request, context)
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] =
            "Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"
        return response
    }

    private static func isOpen(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2).map(Substring.init)
        guard let first = parts.first else { return false }
        return paths.contains(first) || first == "oauth" && parts.count == 2 && oauth.contains(parts[1])
    }
}
