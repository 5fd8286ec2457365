import FeedAPI
import FeedCore
import Foundation
import HTTPTypes
import Synchronization

/// The fields that every response gets, whatever its endpoint.
final class CommonFields: Sendable {
    /// Their number at most.
    private static let count = 12
    private static let noSniffing = HTTPField(name: .contentTypeOptions, value: "nosniff")
    /// Over TLS, browsers use only https for one year (RFC 6797).
    private static let strictTransport = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")
    private static let sameOrigin = HTTPField(name: .referrerPolicy, value: "same-origin")
    private static let server = HTTPField(name: .server, value: "feedserver")

    /// The Date field, formatted once per second.
    private let date = Mutex((second: 0, field: CommonFields.date(0)))

    /// Adds all fields at once, which costs much less than one after the other.
    /// - Parameter rate: The limit that the response states.
    func add(to response: inout Response, _ request: Request, _ context: FeedContext, rate: RateState?) {
        var fields: [HTTPField] = []
        fields.reserveCapacity(Self.count)
        if let rate { RateLimits.add(rate, to: &fields) }
        if let length = response.length { fields.append(length) }
        fields.append(Self.noSniffing)
        if context.isEncrypted { fields.append(Self.strictTransport) }
        if !response.headers.contains(.referrerPolicy) { fields.append(Self.sameOrigin) }
        if context.endpoint?.isShared ?? CrossOrigin.isShared(request.uri.path) {
            fields.append(CrossOrigin.anyOrigin)
            fields.append(CrossOrigin.exposed)
        }
        fields.append(HTTPField(name: .requestID, value: context.requestID))
        fields.append(currentDate)
        fields.append(Self.server)
        let end = response.headers.endIndex
        response.headers.reserveCapacity(end + fields.count)
        response.headers.replaceSubrange(end..<end, with: fields)
    }

    private var currentDate: HTTPField {
        let now = time(nil)
        return date.withLock { date in
            if date.second != now { date = (now, Self.date(now)) }
            return date.field
        }
    }

    private static func date(_ seconds: Int) -> HTTPField {
        HTTPField(name: .date, value: HTTPDate.text(seconds: Int64(seconds)))
    }
}

/// Lets web applications of other origins use the API (CORS, Fetch Standard §3.2). Credentials are not allowed:
/// applications send a token, and browsers add no cookies. The authorization page and the files are not shared.
enum CrossOrigin {
    private static let paths: Set<Substring> = ["api", "nodeinfo", ".well-known"]
    private static let oauth: Set<Substring> = ["token", "revoke"]
    fileprivate static let anyOrigin = HTTPField(name: .accessControlAllowOrigin, value: "*")
    fileprivate static let exposed = HTTPField(
        name: .accessControlExposeHeaders,
        value: "Link, Retry-After, Search-Incomplete, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset")
    private static let allowed: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        .accessControlAllowHeaders: "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
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
