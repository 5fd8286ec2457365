import FeedAPI
import HTTPTypes
import NIOCore
import Synchronization

/// The fields that many responses of a second have in common, whatever their endpoint. Responses share them, so that
/// they are encoded once.
final class CommonHeaders: Sendable {
    /// The values on which the fields depend, except the time.
    struct Kind: OptionSet {
        static let encrypted = Kind(rawValue: 1)
        /// Web applications of other origins may read the response (``CORSRule``).
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
    /// Credentials are not allowed: applications send a token, and browsers add no cookies.
    private static let shared = [
        HTTPField(name: .accessControlAllowOrigin, value: "*"),
        HTTPField(
            name: .accessControlExposeHeaders,
            value:
                "ETag, Last-Event-ID, Link, Retry-After, Search-Incomplete, X-RateLimit-Limit, X-RateLimit-Remaining, "
                + "X-RateLimit-Reset, X-Request-Id"),
    ]
    private static let server = HTTPField(name: .server, value: "feedserver")

    let fields: [HTTPField]
    /// The same as lines of HTTP/1.
    let lines: ByteBuffer

    /// - Parameter seconds: The time since 1970.
    init(_ kind: Kind, seconds: Int) {
        var fields = [Self.noSniffing]
        if kind.contains(.encrypted) { fields.append(Self.strictTransport) }
        if !kind.contains(.referrerPolicy) { fields.append(Self.sameOrigin) }
        if kind.contains(.shared) { fields += Self.shared }
        fields.append(HTTPField(name: .date, value: HTTPDate.text(seconds: Int64(seconds))))
        fields.append(Self.server)
        self.fields = fields
        var lines = ByteBuffer()
        for field in fields { lines.writeLine(of: field) }
        self.lines = lines
    }
}

/// The common fields of the current second.
final class CurrentHeaders: Sendable {
    private struct State {
        var second = 0
        /// By kind.
        var fields = [CommonHeaders?](repeating: nil, count: CommonHeaders.Kind.count)
    }

    private let state = Mutex(State())

    /// - Parameter now: The seconds since 1970.
    func fields(_ kind: CommonHeaders.Kind, now: Int) -> CommonHeaders {
        state.withLock { state in
            if state.second != now { state = State(second: now) }
            if let known = state.fields[kind.rawValue] { return known }
            let new = CommonHeaders(kind, seconds: now)
            state.fields[kind.rawValue] = new
            return new
        }
    }
}
