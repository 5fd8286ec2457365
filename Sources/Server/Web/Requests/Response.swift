import FeedAPI
import FeedCore
package import HTTPTypes
package import NIOCore

/// A response, of either version of HTTP.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: ResponseBody

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether a response with this status has neither a body nor its length (RFC 9110 §8.6).
    var isBodiless: Bool { status.code < 200 || status == .noContent || status == .notModified }

    /// Adds Content-Length, if the length of the body is known.
    mutating func addLength() {
        guard !isBodiless, let length = body.contentLength, !headers.contains(.contentLength) else { return }
        headers.append(HTTPField(name: .contentLength, value: String(length)))
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
