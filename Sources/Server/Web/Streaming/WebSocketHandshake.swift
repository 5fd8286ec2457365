import HTTPTypes
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOWebSocket

/// The handshake of a WebSocket (RFC 6455 §4.2), which the router has already admitted.
enum WebSocketHandshake {
    private static let version = "13"
    private static let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
        // The pipeline is changed by ``install(_:on:)``.
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
    /// - Throws: ``ErrorResponse`` 426 for another version of the protocol, 400 for a malformed handshake.
    static func fields(for request: Request, on channel: any Channel) async throws -> HTTPFields {
        guard request.method == .get, request.headers[.webSocketVersion] == version else {
            throw ErrorResponse(
                status: .upgradeRequired, message: "The version of the WebSocket protocol must be \(version)",
                headers: [.webSocketVersion: version, .upgrade: "websocket"])
        }
        let key = request.headers[.webSocketKey] ?? ""
        // The rest of a body would be taken for frames.
        let hasBody = request.headers.contains(.transferEncoding) || request.headers[.contentLength] ?? "0" != "0"
        guard key.utf8.count == 24, !hasBody else { throw malformed }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        head.headers = ["Sec-WebSocket-Key": key, "Sec-WebSocket-Version": version]
        let built = try await upgrader.buildUpgradeResponse(
            channel: channel, upgradeRequest: head, initialResponseHeaders: HTTPHeaders()
        ).get()
        return built.reduce(into: HTTPFields()) { fields, field in
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
    }

    private static let malformed = ErrorResponse(
        status: .badRequest, message: "The WebSocket handshake is malformed", hint: "Sec-WebSocket-Key is missing.")

    /// Adds the handlers of a WebSocket at the end of the pipeline.
    static func install(_ handler: WebSocketHandler, on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(WebSocketFrameEncoder())
        try pipeline.addHandler(
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketInput.maximumBytes)))
        try pipeline.addHandler(handler)
    }
}
