import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization

@testable import FeedWeb

extension FeedWeb.Response {
    /// All fields, also the common ones.
    var allHeaders: HTTPFields {
        var all = headers
        for field in common?.fields ?? [] { all.append(field) }
        return all
    }
}

/// Sends requests to the server without a network, as an unnamed client of a Unix socket.
struct TestClient: Sendable {
    struct Response: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: ByteBuffer
    }

    /// The size of the pieces in which a body arrives.
    private static let pieceBytes = 32 * 1024

    private let handler: RequestHandler

    init(_ services: Services) { handler = RequestHandler(services) }

    /// Sends a request.
    /// - Returns: The result of `read`, which receives the response.
    @discardableResult
    func execute<Value>(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil,
        _ read: (Response) async throws -> Value
    ) async throws -> Value {
        var fields = HTTPHeaders(headers.map { ($0.name.rawName, $0.value) })
        if let body { fields.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes)) }
        let request = Request(
            method: method, target: uri, host: "localhost", isSecure: false, headers: .http1(fields),
            body: body.map(Self.pieces) ?? .none)
        return try await read(try await send(request))
    }

    private static func pieces(_ body: ByteBuffer) -> RequestBody {
        let stream = RequestBodyStream {}
        var rest = body
        while let piece = rest.readSlice(length: min(pieceBytes, rest.readableBytes)), piece.readableBytes > 0 {
            _ = stream.yield(piece)
        }
        stream.finish()
        return RequestBody(stream)
    }

    private func send(_ request: Request) async throws -> Response {
        let collector = BodyCollector()
        let channel = await NIOAsyncTestingChannel(handler: collector)
        let response: FeedWeb.Response
        switch handler.begin(request, on: ClientConnection(channel: channel, isEncrypted: false)) {
        case .respond(let known): response = known
        case .perform(let work): response = await work()
        }
        switch response.body.content {
        case .bytes(let bytes): collector.add(bytes)
        case .written(let write): try await write(ResponseWriter(channel: channel))
        // The stream would follow; it ends when the channel closes.
        case .takeover: break
        }
        try? await channel.close()
        return Response(status: response.status, headers: response.allHeaders, body: collector.bytes)
    }

    /// Takes the place of the connection's handler, and keeps the body of the response.
    private final class BodyCollector: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ResponsePart

        private struct UnexpectedPart: Error {}

        private let collected = Mutex(ByteBuffer())

        var bytes: ByteBuffer { collected.withLock { $0 } }

        func add(_ bytes: ByteBuffer) { collected.withLock { _ = $0.writeImmutableBuffer(bytes) } }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .body(let bytes) = unwrapOutboundIn(data) else {
                promise?.fail(UnexpectedPart())
                return
            }
            add(bytes)
            promise?.succeed()
        }

        /// There is no client to wait for, or to watch.
        func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
            promise?.succeed()
        }
    }
}
