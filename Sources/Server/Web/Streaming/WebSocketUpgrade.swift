import FeedCore
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// The handshake of a WebSocket (RFC 6455 §4.2), which the router has already admitted.
enum WebSocketUpgrade {
    private static let version = "13"
    private static let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
        // The pipeline is changed by ``install(_:before:_:)``, because it ends with handlers that stay.
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })

    /// Whether the client asks for a WebSocket, which is only possible over HTTP/1.1.
    static func isRequested(by request: Request) -> Bool {
        has("websocket", in: request.headers[values: .upgrade])
            && has("upgrade", in: request.headers[values: .connection])
    }

    private static func has(_ word: String, in lists: [String]) -> Bool {
        lists.contains { list in
            list.lowercased().utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
                .contains { $0.elementsEqual(word.utf8) }
        }
    }

    /// The fields of the response that completes the handshake.
    /// - Throws: ``Problem`` 426 for another version of the protocol, 400 for a malformed handshake.
    static func fields(for request: Request, on channel: any Channel) async throws -> HTTPFields {
        guard request.method == .get, request.headers[.webSocketVersion] == version else {
            throw Problem(
                status: .upgradeRequired, message: "The version of the WebSocket protocol must be \(version)",
                headers: [.webSocketVersion: version, .upgrade: "websocket"])
        }
        let key = request.headers[.webSocketKey] ?? ""
        guard key.utf8.count == 24 else { throw malformed }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        head.headers = ["Sec-WebSocket-Key": key, "Sec-WebSocket-Version": version]
        let built = try await upgrader.buildUpgradeResponse(
            channel: channel, upgradeRequest: head, initialResponseHeaders: HTTPHeaders()
        ).get()
        return HTTPFields(built, splitCookie: false)
    }

    private static let malformed = Problem(
        status: .badRequest, message: "The WebSocket handshake is malformed", hint: "Sec-WebSocket-Key is missing.")

    /// Replaces the HTTP handlers by the WebSocket handlers.
    static func install(
        _ handler: WebSocketHandler, before takeover: StreamTakeover, _ context: ChannelHandlerContext
    ) throws {
        let pipeline = context.pipeline.syncOperations
        // The decoder passes on what the client has already sent. It leaves the pipeline a little later than the others.
        remove(RepeatedRequestHandler.self, from: pipeline)
        remove(ByteToMessageHandler<HTTPRequestDecoder>.self, from: pipeline)
        remove(HTTPResponseEncoder.self, from: pipeline)
        remove(StoredResponseHandler.self, from: pipeline)
        remove(HTTPVersionHandler.self, from: pipeline)
        remove(FileSender.self, from: pipeline)
        remove(HTTP1ToHTTPServerCodec.self, from: pipeline)
        remove(ConnectionHandler.self, from: pipeline)
        let decoder = WebSocketFrameDecoder(maxFrameSize: WebSocketInput.maximumBytes)
        try pipeline.addHandler(WebSocketFrameEncoder(), position: .before(takeover))
        try pipeline.addHandler(ByteToMessageHandler(decoder), position: .before(takeover))
        try pipeline.addHandler(handler, position: .before(takeover))
    }

    private static func remove<Handler: ChannelHandler>(
        _ type: Handler.Type, from pipeline: ChannelPipeline.SynchronousOperations
    ) {
        guard let context = try? pipeline.context(handlerType: type) else { return }
        pipeline.removeHandler(context: context, promise: nil)
    }
}
