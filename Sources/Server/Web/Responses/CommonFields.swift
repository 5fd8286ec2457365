import FeedAPI
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// The fields that many responses of a second have in common, whatever their endpoint. Responses share them, so that they
/// are encoded once.
final class CommonFields: Sendable {
    /// What the fields depend on, except the time.
    struct Kind: OptionSet {
        static let encrypted = Kind(rawValue: 1)
        /// Web applications of other origins may read the response.
        static let shared = Kind(rawValue: 2)
        /// The endpoint sets a Referrer-Policy of its own.
        static let referrerPolicy = Kind(rawValue: 4)
        static let count = 8

        let rawValue: Int
    }

    private static let noSniffing = HTTPField(name: .contentTypeOptions, value: "nosniff")
    /// Over TLS, browsers use only https for one year (RFC 6797).
    private static let strictTransport = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")
    private static let sameOrigin = HTTPField(name: .referrerPolicy, value: "same-origin")
    private static let server = HTTPField(name: .server, value: "feedserver")

    let fields: [HTTPField]
    /// The same as lines of HTTP/1.
    let lines: ByteBuffer

    /// - Parameter seconds: The time since 1970.
    init(_ kind: Kind, seconds: Int) {
        var fields = [Self.noSniffing]
        if kind.contains(.encrypted) { fields.append(Self.strictTransport) }
        if !kind.contains(.referrerPolicy) { fields.append(Self.sameOrigin) }
        if kind.contains(.shared) { fields += CrossOrigin.fields }
        fields.append(HTTPField(name: .date, value: HTTPDate.text(seconds: Int64(seconds))))
        fields.append(Self.server)
        self.fields = fields
        lines = HTTP1Output.lines(fields)
    }
}

/// The common fields of the current second.
final class CurrentFields: Sendable {
    private struct State {
        var second = 0
        /// By kind.
        var fields = [CommonFields?](repeating: nil, count: CommonFields.Kind.count)
    }

    private let state = Mutex(State())

    func fields(_ kind: CommonFields.Kind) -> CommonFields {
        let now = time(nil)
        return state.withLock { state in
            if state.second != now { state = State(second: now) }
            if let known = state.fields[kind.rawValue] { return known }
            let new = CommonFields(kind, seconds: now)
            state.fields[kind.rawValue] = new
            return new
        }
    }
}

/// Lets web applications of other origins use the API (CORS, Fetch Standard §3.2). Credentials are not allowed:
/// applications send a token, and browsers add no cookies. The authorization page and the files are not shared.
enum CrossOrigin {
    private static let paths: Set<Substring> = ["api", "nodeinfo", ".well-known"]
    private static let oauth: Set<Substring> = ["token", "revoke"]
    fileprivate static let fields = [
        HTTPField(name: .accessControlAllowOrigin, value: "*"),
        HTTPField(
            name: .accessControlExposeHeaders,
            value: "Link, Retry-After, Search-Incomplete, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"),
    ]
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
