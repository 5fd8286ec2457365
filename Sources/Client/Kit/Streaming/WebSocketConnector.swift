import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// Opens WebSockets, through the proxy and with the certificates of a transport.
struct WebSocketConnector: Sendable {
    private static let connectTimeout = TimeAmount.seconds(Int64(Timeout.seconds(10)))
    private static let handshakeTimeout = TimeAmount.seconds(Int64(Timeout.seconds(20)))

    let transport: Transport

    /// The response of a server to the request for a WebSocket.
    private enum Upgrade: Sendable {
        case accepted(WebSocketConnection)
        /// The status of another response.
        case refused(EventLoopFuture<Int>)
    }

    /// Opens a WebSocket.
    /// - Parameter request: Its address begins with `http` or `https`.
    /// - Throws: ``FeedClientError``; with the status if the server refuses.
    func connect(_ request: HTTPClientRequest) async throws -> WebSocketConnection {
        guard let url = URL(string: request.url), let host = url.host() else {
            throw FeedClientError(.usage, "\"\(request.url)\" is not an address")
        }
        transport.trace(request)
        return try await transport.translated(request.url) {
            try await upgrade(
                Self.head(request, url, host), isSecure: url.scheme == "https",
                host: host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")),
                port: url.port ?? (url.scheme == "https" ? 443 : 80))
        }
    }

    private static func head(_ request: HTTPClientRequest, _ url: URL, _ host: String) -> HTTPRequestHead {
        var headers = request.headers
        headers.add(name: "Host", value: host + (url.port.map { ":\($0)" } ?? ""))
        headers.add(name: "Content-Length", value: "0")
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        return HTTPRequestHead(
            version: .http1_1, method: .GET, uri: (path.isEmpty ? "/" : path) + query, headers: headers)
    }

    private func upgrade(
        _ head: HTTPRequestHead, isSecure: Bool, host: String, port: Int
    ) async throws -> WebSocketConnection {
        let context = isSecure ? try NIOSSLContext(configuration: transport.tls) : nil
        let upgrade = try await connect(host, port) { [readTimeout = transport.readTimeout] channel in
            if let context { try Self.addTLS(context, host, to: channel) }
            return try Self.addUpgrade(head, readTimeout, to: channel)
        }
        switch try await upgrade.get() {
        case .accepted(let client): return client
        case .refused(let status):
            let hadCredentials = head.headers.contains(name: "Authorization")
            throw ErrorResponse(
                status: try await status.get(), headers: [:], body: ByteBuffer(), hadCredentials: hadCredentials
            ).error
        }
    }

    /// Connects to a server, through the proxy if there is one.
    /// - Parameter configure: Adds the handlers to a channel; called on its event loop.
    private func connect(
        _ host: String, _ port: Int, _ configure: @escaping @Sendable (any Channel) throws -> EventLoopFuture<Upgrade>
    ) async throws -> EventLoopFuture<Upgrade> {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(Self.connectTimeout)
        guard let proxy = transport.proxy else {
            return try await bootstrap.connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel) }
            }
        }
        let channel = try await bootstrap.connect(host: proxy.host, port: proxy.port).get()
        return channel.eventLoop.flatSubmit {
            proxy.openTunnel(on: channel, to: host, port: port, timeout: Self.connectTimeout).flatMapThrowing {
                guard channel.isActive else { throw ChannelError.eof }
                return try configure(channel)
            }.flatMap { $0 }.flatMapErrorThrowing { error in
                channel.close(promise: nil)
                throw error
            }
        }
    }

    /// Server name indication does not permit addresses.
    private static func addTLS(_ context: NIOSSLContext, _ host: String, to channel: any Channel) throws {
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        try channel.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host))
    }

    private static func addUpgrade(
        _ head: HTTPRequestHead, _ silence: TimeAmount?, to channel: any Channel
    ) throws -> EventLoopFuture<Upgrade> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(maxFrameSize: WebSocketInbox.maximumMessage) {
            channel, _ in channel.eventLoop.makeCompletedFuture { .accepted(try addInbox(silence, to: channel)) }
        }
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                upgradeRequestHead: head, upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture { .refused(try addStatusReader(to: channel)) }
                }))
        // The first frame may arrive together with the response.
        configuration.leftOverBytesStrategy = .forwardBytes
        let result = try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: configuration)
        let timeout = channel.eventLoop.scheduleTask(in: handshakeTimeout) { channel.close(promise: nil) }
        result.whenComplete { _ in timeout.cancel() }
        return result
    }

    private static func addInbox(_ silence: TimeAmount?, to channel: any Channel) throws -> WebSocketConnection {
        let inbox = WebSocketInbox(eventLoop: channel.eventLoop)
        let maximum = WebSocketInbox.maximumMessage
        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: silence))
        try channel.pipeline.syncOperations.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: maximum))
        try channel.pipeline.syncOperations.addHandler(inbox)
        try channel.syncOptions?.setOption(.autoRead, value: false)
        return WebSocketConnection(channel, inbox)
    }

    private static func addStatusReader(to channel: any Channel) throws -> EventLoopFuture<Int> {
        let promise = channel.eventLoop.makePromise(of: Int.self)
        try channel.pipeline.syncOperations.addHandler(StatusReader(promise))
        return promise.futureResult
    }
}

/// Reads the status of a response and closes the connection.
private final class StatusReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let promise: EventLoopPromise<Int>

    init(_ promise: EventLoopPromise<Int>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = Self.unwrapInboundIn(data) else { return }
        promise.succeed(Int(head.status.code))
        context.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }
}
