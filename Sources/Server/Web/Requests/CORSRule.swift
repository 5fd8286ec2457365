import HTTPTypes

/// Lets web applications of other origins use the API (CORS, Fetch Standard §3.2). The authorization page and the
/// files are not shared. ``CommonHeaders`` contains the fields of the responses.
enum CORSRule {
    private static let paths: Set<Substring> = ["api", "nodeinfo", ".well-known"]
    private static let oauth: Set<Substring> = ["token", "revoke"]
    private static let allowed: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        .accessControlAllowHeaders: "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
        .accessControlMaxAge: "86400",
    ]

    /// The response to a preflight request; `nil` for any other.
    static func preflight(_ request: Request) -> Response? {
        guard request.method == .options, isShared(request.uri.path),
            request.headers.contains(.accessControlRequestMethod)
        else { return nil }
        return Response(status: .noContent, headers: allowed)
    }

    /// Whether applications of other origins may read what is at a path.
    static func isShared(_ path: String) -> Bool {
        let (first, rest) = RequestPath.segment(path.utf8[...])
        guard first == "oauth" else { return paths.contains(first) }
        let (second, end) = RequestPath.segment(rest)
        return oauth.contains(second) && RequestPath.segment(end).first.isEmpty
    }
}
