import HTTPTypes

/// Lets web applications of other origins use the API (CORS, Fetch Standard §3.2). Credentials are not allowed:
/// applications send a token, and browsers add no cookies. The authorization page and the files are not shared.
enum CrossOrigin {
    private static let paths: Set<Substring> = ["api", "nodeinfo", ".well-known"]
    private static let oauth: Set<Substring> = ["token", "revoke"]
    private static let anyOrigin = HTTPField(name: .accessControlAllowOrigin, value: "*")
    private static let exposed = HTTPField(
        name: .accessControlExposeHeaders,
        value: "Link, Retry-After, Search-Incomplete, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset")
    private static let allowed: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        .accessControlAllowHeaders: "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
        .accessControlMaxAge: "86400",
    ]

    /// The response to a preflight request; `nil` for any other.
    static func preflight(_ request: Request) -> Response? {
        guard request.method == .options, isOpen(request.uri.path),
            request.headers.contains(.accessControlRequestMethod)
        else { return nil }
        return Response(status: .noContent, headers: allowed)
    }

    static func addHeaders(to response: inout Response, path: String) {
        guard isOpen(path) else { return }
        response.headers.append(anyOrigin)
        response.headers.append(exposed)
    }

    private static func isOpen(_ path: String) -> Bool {
        let (first, rest) = RequestPath.segment(path.utf8[...])
        guard first == "oauth" else { return paths.contains(first) }
        let (second, end) = RequestPath.segment(rest)
        return oauth.contains(second) && RequestPath.segment(end).first.isEmpty
    }
}
