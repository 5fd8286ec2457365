import FeedAPI
import FeedCore
package import HTTPTypes
package import NIOCore

/// A response, of either version of HTTP.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    /// The fields that do not depend on the endpoint; `nil` until the rules have been applied.
    var common: CommonHeaders?
    package var body: ResponseBody

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether a response with this status has neither a body nor its length (RFC 9110 §8.6).
    var isBodiless: Bool { status.code < 200 || status == .noContent || status == .notModified }

    /// Content-Length, if the length of the body is known, and the field is missing.
    var contentLengthField: HTTPField? {
        guard !isBodiless, let length = body.contentLength, !headers.contains(.contentLength) else { return nil }
        return HTTPField(name: .contentLength, value: String(length))
    }
}

/// The body of a response.
package struct ResponseBody: Sendable {
    enum Content: Sendable {
        case bytes(ByteBuffer)
        case written(@Sendable (ResponseWriter) async throws -> Void)
        /// The connection belongs to a stream after the head of the response.
        case takeover(ChannelTakeover)
    }

    let content: Content
    /// The length in bytes; `nil` if it is not known in advance.
    package let contentLength: Int?

    package init() { self.init(byteBuffer: ByteBuffer()) }

    package init(byteBuffer: ByteBuffer) {
        content = .bytes(byteBuffer)
        contentLength = byteBuffer.readableBytes
    }

    /// A body that a task writes after the head.
    init(contentLength: Int?, write: @escaping @Sendable (ResponseWriter) async throws -> Void) {
        content = .written(write)
        self.contentLength = contentLength
    }

    init(_ takeover: ChannelTakeover) {
        content = .takeover(takeover)
        contentLength = nil
    }

    /// Whether the connection leaves HTTP after the head.
    var replacesHTTP: Bool { if case .takeover(let takeover) = content { takeover.replacesHTTP } else { false } }
}

/// A part of a response that the handler of a connection sends. Tasks and streams write these parts to the channel.
enum ResponsePart: Sendable {
    /// The head, together with the body if that is in memory, which also ends the response.
    case response(Response)
    case body(ByteBuffer)
    /// A region of a file as part of the body (`sendfile`), only over TCP without TLS.
    case file(FileRegion)
    case end
    /// The body cannot be completed. The client is told by the end of the connection or stream.
    case abort
}

/// Writes the body of a response.
struct ResponseWriter: Sendable {
    let channel: any Channel

    /// Writes bytes; returns once the connection accepts more.
    func write(_ bytes: ByteBuffer) async throws { try await channel.writeAndFlush(ResponsePart.body(bytes)).get() }

    /// Sends a region of a file; returns once the kernel has sent it.
    func send(_ region: FileRegion) async throws { try await channel.writeAndFlush(ResponsePart.file(region)).get() }
}

extension Response {
    /// A response of plain text.
    init(text: String, type: String = "text/plain; charset=utf-8", headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = type
        self.init(status: .ok, headers: headers, body: .init(byteBuffer: .init(string: text)))
    }

    /// The response `{}`.
    static var emptyObject: Response {
        var json = JSONWriter(capacity: 2)
        json.object { _ in }
        return Response(json: json)
    }

    /// A JSON response.
    init(json: JSONWriter, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        self.init(status: status, headers: headers, body: .init(byteBuffer: .init(bytes: json.bytes)))
    }
}

/// The steps by which a stream takes over the connection of its request once the head of the response is written.
package struct ChannelTakeover: Sendable {
    /// Whether the handlers of HTTP leave the pipeline, so that those of the stream get the bytes of the connection, also
    /// what the client has already sent (WebSocket). Otherwise they write ``ResponsePart/body(_:)`` and
    /// ``ResponsePart/end``, and receive nothing but events of the channel.
    let replacesHTTP: Bool
    /// Adds the handlers of the stream at the end of the pipeline, on the event loop. The handler that has written the
    /// head calls it, and forgets the request.
    let begin: @Sendable (any Channel) throws -> Void
}

extension HTTPField.Name {
    static let contentTypeOptions = Self.known("X-Content-Type-Options")
    static let referrerPolicy = Self.known("Referrer-Policy")
    static let reprDigest = Self.known("Repr-Digest")
    static let frameOptions = Self.known("X-Frame-Options")
    static let pragma = Self.known("Pragma")
    static let rateLimitLimit = Self.known("X-RateLimit-Limit")
    static let rateLimitRemaining = Self.known("X-RateLimit-Remaining")
    static let rateLimitReset = Self.known("X-RateLimit-Reset")
    static let forwarded = Self.known("Forwarded")
    static let forwardedFor = Self.known("X-Forwarded-For")
    static let forwardedProto = Self.known("X-Forwarded-Proto")
    static let robotsTag = Self.known("X-Robots-Tag")
    static let requestID = Self.known("X-Request-Id")
    /// `true` if a search may not have found everything.
    static let searchIncomplete = Self.known("Search-Incomplete")
    static let link = Self.known("Link")
    static let contentDigest = Self.known("Content-Digest")
    static let lastEventID = Self.known("Last-Event-ID")
    static let accelBuffering = Self.known("X-Accel-Buffering")
    static let fetchSite = Self.known("Sec-Fetch-Site")
    /// `?0` for a part of a resumable upload of the IETF.
    static let uploadComplete = Self.known("Upload-Complete")
    static let tusResumable = Self.known("Tus-Resumable")
    static let clearSiteData = Self.known("Clear-Site-Data")
    static let webSocketKey = Self.known("Sec-WebSocket-Key")
    static let webSocketVersion = Self.known("Sec-WebSocket-Version")
    static let webSocketProtocol = Self.known("Sec-WebSocket-Protocol")
    /// HTTPTypes has no name for Host, because the authority replaces it; an HTTP/2 client may send both.
    static let hostField = Self.known("Host")

    /// All names above are valid tokens (RFC 9110 §5.1), so the fallback is never used.
    private static func known(_ name: String) -> Self { Self(name) ?? .contentType }
}

extension HTTPFields {
    /// Asks search engines to ignore content without a page of its own, if that is what the account wants.
    mutating func setIndexing(isRefused: Bool) { if isRefused { self[.robotsTag] = "noindex" } }
}

extension ByteBuffer {
    /// Writes the line of a field in the head of a response of HTTP/1.
    mutating func writeLine(of field: HTTPField) {
        writeString(field.name.rawName)
        writeStaticString(": ")
        writeString(field.value)
        writeStaticString("\r\n")
    }
}
