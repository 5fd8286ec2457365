import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The client's end of a WebSocket (RFC 6455). Frames are read only when a message is asked for. The connection is closed
/// when the last reference is released.
final class WebSocketConnection: Sendable {
    private let channel: any Channel
    private let inbox: NIOLoopBound<WebSocketInbox>

    /// Must be called on the event loop of the channel.
    init(_ channel: any Channel, _ inbox: WebSocketInbox) {
        self.channel = channel
        self.inbox = NIOLoopBound(inbox, eventLoop: channel.eventLoop)
    }

    deinit { channel.close(promise: nil) }

    /// The next message; `nil` when the server has closed the connection.
    /// - Throws: ``FeedClientError``, `CancellationError`.
    func next() async throws -> ByteBuffer? {
        do {
            let message = try await withTaskCancellationHandler {
                try await channel.eventLoop.flatSubmit { [inbox] in inbox.value.next() }.get()
            } onCancel: {
                channel.close(promise: nil)
            }
            if message == nil { try Task.checkCancellation() }
            return message
        } catch {
            try Task.checkCancellation()
            throw TransportError.translate(error)
        }
    }
}

/// A message of the Mastodon streaming API on a WebSocket.
struct WebSocketMessage: Decodable, Equatable {
    let event: String
    /// JSON, or the id of a deleted status; `nil` for events without content.
    let payload: String?
    /// The position after the event, on servers that have positions.
    let id: String?

    /// - Returns: `nil` for a message that is not an event.
    static func decode(_ bytes: ByteBuffer) -> WebSocketMessage? {
        try? JSONDecoder().decode(Self.self, from: Data(bytes.readableBytesView))
    }
}

/// A connection on which a server sends events over a WebSocket, which some servers offer instead of server-sent events.
struct WebSocketStream: StreamConnection {
    private let socket: WebSocketConnection
    private(set) var position: String?

    var reconnectionTime: Int? { nil }

    /// Opens a stream. The token is sent in a header field, because addresses appear in logs.
    /// - Parameter position: Where to resume, if the server supports that.
    /// - Throws: ``FeedClientError``; with a status if the server refuses.
    init(_ stream: StreamName, position: String?, client: FeedClient) async throws {
        let query = [("stream", stream.webSocketName), ("since", position)] + stream.parameters
        var request = client.request(Paths.streaming, query: query)
        request.headers.remove(name: "Accept")
        socket = try await WebSocketConnector(transport: client.streams).connect(request)
        self.position = position
    }

    mutating func next() async throws -> StreamMessage? {
        while let text = try await socket.next() {
            guard let message = WebSocketMessage.decode(text) else { continue }
            position = message.id ?? position
            return StreamMessage(type: message.event, payload: message.payload ?? "", position: message.id)
        }
        return nil
    }
}

/// Receives the messages of a WebSocket, and answers pings. It reads from the socket only while a caller waits for a
/// message; one read returns a bounded number of bytes.
final class WebSocketInbox: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The largest message, in bytes.
    static let maximumMessage = 1 << 20

    private let eventLoop: any EventLoop
    private var context: ChannelHandlerContext?
    private var messages = CircularBuffer<ByteBuffer>()
    private var waiter: EventLoopPromise<ByteBuffer?>?
    /// The result of the connection, once it has ended.
    private var end: Result<Void, any Error>?

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(.success(()))
        self.context = nil
    }

    /// The next message; `nil` at the end. Must not be called again before the result is known.
    func next() -> EventLoopFuture<ByteBuffer?> {
        if let message = messages.popFirst() { return eventLoop.makeSucceededFuture(message) }
        if let end { return eventLoop.makeCompletedFuture(end.map { nil }) }
        let promise = eventLoop.makePromise(of: ByteBuffer?.self)
        waiter = promise
        context?.read()
        return promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        switch frame.opcode {
        case .text: receive(frame.unmaskedData)
        case .ping: send(.pong, frame.unmaskedData, context)
        case .connectionClose:
            send(.connectionClose, ByteBuffer(), context)
            close(.success(()), context)
        case .binary, .pong, .continuation: break
        default: close(.failure(Self.violation("an unknown opcode")), context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { if waiter != nil { context.read() } }

    func channelInactive(context: ChannelHandlerContext) { finish(.success(())) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(.failure(Self.described(error)), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        close(.failure(FeedClientError(.network, "The server has fallen silent")), context)
    }

    // MARK: Helpers

    /// A violation of the protocol would happen again if the stream were resumed at the same place.
    private static func described(_ error: any Error) -> any Error {
        guard error is NIOWebSocketError || error is NIOWebSocketFrameAggregator.Error else { return error }
        return violation("\(error)")
    }

    private static func violation(_ reason: String) -> FeedClientError {
        FeedClientError(.failed, "The server violates the WebSocket protocol: " + reason)
    }

    private func receive(_ message: ByteBuffer) {
        guard end == nil else { return }
        guard let waiter = self.waiter else { return messages.append(message) }
        self.waiter = nil
        waiter.succeed(message)
    }

    /// A client must mask its frames (RFC 6455 §5.3).
    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
    }

    private func close(_ end: Result<Void, any Error>, _ context: ChannelHandlerContext) {
        finish(end)
        context.close(promise: nil)
    }

    private func finish(_ end: Result<Void, any Error>) {
        guard self.end == nil else { return }
        self.end = end
        guard let waiter = self.waiter else { return }
        self.waiter = nil
        waiter.completeWith(end.map { nil })
    }
}
