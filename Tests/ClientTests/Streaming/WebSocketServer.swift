import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A server that offers nothing but WebSockets, and sends on each the bytes that a test has chosen.
final class WebSocketServer: Sendable {
    private struct State {
        var scripts: [[UInt8]]
        var requests: [HTTPRequestHead] = []
        var frames: [WebSocketFrame] = []
        var channels: [any Channel] = []
    }

    private let state: Mutex<State>

    /// The requests for a WebSocket.
    var requests: [HTTPRequestHead] { state.withLock { $0.requests } }
    /// The frames that clients have sent.
    var frames: [WebSocketFrame] { state.withLock { $0.frames } }

    private init(_ scripts: [[UInt8]]) { state = Mutex(State(scripts: scripts)) }

    /// Runs a server for the duration of `test`.
    /// - Parameter scripts: The bytes to send on the first connection, the second, and so on.
    static func serving(
        _ scripts: [[UInt8]], _ test: (WebSocketServer, _ port: Int) async throws -> Void
    ) async throws {
        let server = WebSocketServer(scripts)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try server.configure(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<Void, any Error>
        do { result = .success(try await test(server, channel.localAddress?.port ?? 0)) } catch {
            result = .failure(error)
        }
        server.closeAll()
        try await channel.close()
        try result.get()
    }

    /// Closes all connections.
    func closeAll() {
        for channel in state.withLock({ $0.channels }) { channel.close(promise: nil) }
    }

    /// A frame as a server sends it, without a mask.
    static func frame(_ opcode: WebSocketOpcode, _ payload: String, isFinal: Bool = true) -> [UInt8] {
        let bytes = Array(payload.utf8)
        let code = UInt8(WebSocketOpcode.allCases.firstIndex(of: opcode) ?? 0)
        precondition(bytes.count < 1 << 16)
        let length: [UInt8] =
            bytes.count < 126
            ? [UInt8(bytes.count)] : [126, UInt8(bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
        return [(isFinal ? 0x80 : 0) | code] + length + bytes
    }

    private func configure(_ channel: any Channel) throws {
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            shouldUpgrade: { channel, head in
                self.state.withLock { $0.requests.append(head) }
                return channel.eventLoop.makeSucceededFuture([:])
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture { try self.opened(channel) }
            })
        let configuration = NIOUpgradableHTTPServerPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NotFoundHandler())
                    }
                }))
        _ = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(configuration: configuration)
    }

    private func opened(_ channel: any Channel) throws {
        let script = state.withLock { state in
            state.channels.append(channel)
            return state.scripts.isEmpty ? [] : state.scripts.removeFirst()
        }
        let raw = RawBytesHandler(script)
        try channel.pipeline.syncOperations.addHandler(raw, position: .first)
        try channel.pipeline.syncOperations.addHandler(
            FrameHandler { frame in
                self.state.withLock { $0.frames.append(frame) }
            })
        channel.eventLoop.assumeIsolated().execute { raw.send() }
    }
}

/// Sends bytes around the encoder of frames.
private final class RawBytesHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let bytes: [UInt8]
    private var context: ChannelHandlerContext?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func send() { context?.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil) }
}

private final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let received: (WebSocketFrame) -> Void

    init(_ received: @escaping (WebSocketFrame) -> Void) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { received(Self.unwrapInboundIn(data)) }
}

private final class NotFoundHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = Self.unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["Content-Length": "0"])
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }
}
