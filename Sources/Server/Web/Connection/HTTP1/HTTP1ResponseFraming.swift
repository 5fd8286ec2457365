import HTTPTypes
import NIOHTTP1

/// The framing of a response's body, which marks its end (RFC 9112 §6.3).
enum HTTP1ResponseFraming: Equatable {
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
    func framing(of response: Response) -> HTTP1ResponseFraming {
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
