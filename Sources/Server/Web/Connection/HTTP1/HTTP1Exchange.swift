import HTTPTypes
import NIOCore
import NIOHTTP1

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

extension HTTPVersion {
    /// HTTP/1.0 or 0.9, which lack chunked coding and do not require Host.
    var isOld: Bool { self == .http1_0 || self == .http0_9 }
}

/// The part that has arrived of the request in progress on a connection of HTTP/1: the head of a request without a body, which
/// waits for its end, or the body of another one, which a task reads while it arrives.
struct HTTP1Input {
    private var head: HTTPRequestHead?
    private var body: RequestBodyStream?
    /// The bytes that have not arrived of a body with a known length; `nil` for a chunked one.
    private var left: Int?
    /// Whether a task waits for a part of the body.
    private(set) var isWanted = false

    /// Whether the end of a request without a body has not arrived.
    var awaitsEnd: Bool { head != nil }

    /// Whether a task waits for the body, and the whole of it has not arrived.
    var wantsBody: Bool { isWanted && body != nil }

    /// The rest of the body, which may be read or discarded.
    var rest: InputDemand { .body(left: left) }

    /// A request begins.
    /// - Parameter body: `nil` if it has none.
    mutating func begin(_ head: HTTPRequestHead, _ exchange: HTTP1Exchange, _ body: RequestBodyStream?) {
        (self.head, self.body) = body == nil ? (head, nil) : (nil, body)
        (left, isWanted) = (exchange.bodyLength, false)
    }

    /// A task waits for the body.
    mutating func want() { isWanted = true }

    /// Counts bytes of the body.
    mutating func count(_ bytes: Int) { left = left.map { max(0, $0 - bytes) } }

    /// Passes bytes of the body to the task.
    mutating func pass(_ bytes: ByteBuffer) { if let body { isWanted = body.yield(bytes) } }

    /// The request is complete.
    /// - Returns: The head of a request without a body.
    mutating func end() -> HTTPRequestHead? {
        body?.finish()
        defer { forget() }
        return head
    }

    /// The rest of the body will not arrive.
    /// - Returns: Whether there is a body that is not complete.
    @discardableResult
    func fail(_ error: any Error) -> Bool {
        body?.fail(error)
        return body != nil
    }

    /// The request is over.
    mutating func forget() { (head, body) = (nil, nil) }
}
