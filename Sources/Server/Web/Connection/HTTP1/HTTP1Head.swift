import FeedAPI
import HTTPTypes
import NIOHTTP1

/// The rules for a request head, checked before any other handler reads it (RFC 9112).
enum RequestHeadRules {
    /// Whether optional whitespace surrounds a value (RFC 9110 §5.5), which the parser leaves in some cases.
    static func hasOuterBlanks(_ value: String) -> Bool {
        isBlank(value.utf8.first) || isBlank(value.utf8.last)
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func removeBlanks(_ headers: inout HTTPHeaders) {
        guard headers.contains(where: { hasOuterBlanks($0.value) }) else { return }
        headers = HTTPHeaders(
            headers.map { name, value in
                let bytes = value.utf8.drop { isBlank($0) }
                let end = bytes.lastIndex { !isBlank($0) }
                return (name, end.map { String(value[bytes.startIndex...$0]) } ?? "")
            })
    }

    /// Validates a head and rewrites its target in origin form.
    static func check(_ head: inout HTTPRequestHead) throws(HeadRefusal) {
        // RFC 9110 §7.8.
        if head.version.isOld { head.headers.remove(name: "Upgrade") }
        removeBlanks(&head.headers)
        try useTargetHost(&head)
        try checkHost(head)
        try checkFraming(head.headers)
    }

    /// Replaces the Host header with the host of an absolute-form target (§3.2.2).
    private static func useTargetHost(_ head: inout HTTPRequestHead) throws(HeadRefusal) {
        guard !head.uri.hasPrefix("/"), head.uri != "*" else { return }
        let scalars = head.uri.unicodeScalars
        let scheme = ["http://", "https://"].first { Substring(scalars.prefix($0.utf8.count)).lowercased() == $0 }
        guard let scheme else { throw malformedTarget }
        let rest = head.uri.utf8.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let target = Substring(rest[authority.endIndex...])
        head.headers.replaceOrAdd(name: "Host", value: String(Substring(authority)))
        head.uri = target.utf8.first == UInt8(ascii: "/") ? String(target) : "/" + target
        // A combining mark after the slash would form one character with it.
        guard head.uri.hasPrefix("/") else { throw malformedTarget }
    }

    private static let malformedTarget = HeadRefusal(status: .badRequest, message: "The request target is malformed")

    /// Requires exactly one valid Host in HTTP/1.1 (§3.2), at most one in older versions.
    private static func checkHost(_ head: HTTPRequestHead) throws(HeadRefusal) {
        let hosts = head.headers["Host"]
        let isOptional = head.version.isOld && hosts.isEmpty
        guard isOptional || hosts.count == 1 && BaseURL.isValid(hosts[0]) else {
            throw HeadRefusal(status: .badRequest, message: "The Host header is missing or malformed")
        }
    }

    private static func checkFraming(_ headers: HTTPHeaders) throws(HeadRefusal) {
        let codings = headers[canonicalForm: "Transfer-Encoding"]
        guard codings.allSatisfy({ $0.lowercased() == "chunked" }), codings.count <= 1 else {
            throw HeadRefusal(status: .notImplemented, message: "The only supported Transfer-Encoding is chunked")
        }
        // The parser rejects anything that is not a number, so a value that fails here overflows.
        guard headers["Content-Length"].allSatisfy({ Int64($0) != nil }) else {
            throw HeadRefusal(status: .contentTooLarge, message: "The body is too large")
        }
    }
}

/// The framing of a response's body, which marks its end (RFC 9112 §6.3).
enum HTTP1Framing: Equatable {
    /// By its length, which may be zero.
    case length
    case chunked
    /// By the end of the connection, for HTTP/1.0.
    case close
}

/// A request in progress on a connection of HTTP/1, with what its head demands of the response.
struct HTTP1Exchange {
    let version: HTTPVersion
    let method: HTTPMethod
    /// Whether the connection ends with the response: as the client asks, or because the decoder reads no further request
    /// after one that asks for another protocol.
    let isLast: Bool
    let isUpgrade: Bool
    /// Whether the client waits for `100 Continue`.
    var expectsContinue: Bool
    let hasBody: Bool
    /// Bytes; `nil` for a chunked body.
    let bodyLength: Int?

    init(_ head: HTTPRequestHead) {
        version = head.version
        method = head.method
        isUpgrade = !head.version.isOld && head.headers.contains(name: "upgrade") || head.method == .CONNECT
        isLast = isUpgrade || head.version.isOld || !head.isKeepAlive
        expectsContinue = !head.version.isOld && head.headers.first(name: "expect")?.lowercased() == "100-continue"
        let isChunked = head.headers.contains(name: "transfer-encoding")
        let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        hasBody = isChunked || length > 0
        bodyLength = isChunked ? nil : length
    }

    /// The framing to use for a response.
    func framing(of response: Response) -> HTTP1Framing {
        if response.isBodiless || method == .HEAD || response.headers.contains(.contentLength) { return .length }
        return version.isOld ? .close : .chunked
    }
}

extension Request {
    /// - Returns: `nil` if the method is malformed.
    init?(_ head: HTTPRequestHead, _ body: RequestBody, isSecure: Bool) {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return nil }
        self.init(
            method: method, target: head.uri, host: head.headers.first(name: "host"), isSecure: isSecure,
            headers: .http1(head.headers), body: body)
    }
}

extension HTTPRequestHead {
    /// Stands for a head that the decoder rejects. A hyphen marks what is unknown, as in the log.
    static var unreadable: HTTPRequestHead { HTTPRequestHead(version: .http1_1, method: .RAW(value: "-"), uri: "-") }
}

extension HTTPVersion {
    /// HTTP/1.0 or 0.9, which lack chunked coding and do not require Host.
    var isOld: Bool { self == .http1_0 || self == .http0_9 }
}

/// The reason why a request is rejected whose head violates the rules of HTTP. A connection of HTTP/1 closes after the
/// response, since the body's length cannot be trusted.
struct HeadRefusal: Error, Equatable {
    let status: HTTPResponse.Status
    let message: String
}

extension Response {
    init(_ refusal: HeadRefusal) {
        var json = JSONWriter(capacity: 128)
        json.object { $0.field("error", refusal.message) }
        self.init(json: json, status: refusal.status)
    }
}

extension Request {
    /// A request whose head is refused, for the log. A hyphen takes the place of what is missing or malformed.
    init(refused method: String?, target: String?, headers: RequestFields, isSecure: Bool) {
        self.init(
            method: method.flatMap { HTTPRequest.Method($0) } ?? HTTPRequest.Method("-") ?? .get,
            target: target ?? "-", host: nil, isSecure: isSecure, headers: headers)
    }
}
