import Foundation
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOSOCKS

extension ProxySettings {
    /// Turns a connection to the proxy into one to a server (HTTP CONNECT, SOCKS 5). AsyncHTTPClient does this itself for
    /// requests.
    ///
    /// Must be called on the event loop of the channel.
    /// - Parameters:
    ///   - channel: A channel that is connected to the proxy. It has no handlers, neither before nor after the call.
    ///   - host: The name or the address of the server, without brackets.
    ///   - timeout: The time after which the proxy must have answered.
    /// - Returns: Fails with ``FeedClientError`` `.network`.
    func openTunnel(
        on channel: any Channel, to host: String, port: Int, timeout: TimeAmount
    ) -> EventLoopFuture<Void> {
        let opened: EventLoopFuture<Void>
        do {
            // Without further events, nothing would end the wait.
            guard channel.isActive else { throw ChannelError.eof }
            opened =
                try isSOCKS
                ? Self.openSOCKS(channel, host, port, timeout) : openHTTP(channel, host, port, timeout)
        } catch {
            opened = channel.eventLoop.makeFailedFuture(error)
        }
        return opened.flatMapErrorThrowing { error in
            throw FeedClientError(
                .network, "The proxy does not connect to \(host)", hint: "Check the proxy, and what it permits.",
                cause: error)
        }
    }

    private func openHTTP(
        _ channel: any Channel, _ host: String, _ port: Int, _ timeout: TimeAmount
    ) throws -> EventLoopFuture<Void> {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        var headers: HTTPHeaders = ["Host": "\(name):\(port)"]
        if let authorization { headers.add(name: "Proxy-Authorization", value: authorization) }
        let (encoder, decoder) = (HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder()))
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([
            encoder, decoder,
            NIOHTTP1ProxyConnectHandler(
                targetHost: name, targetPort: port, headers: headers, deadline: .now() + timeout, promise: promise),
        ])
        return promise.futureResult.assumeIsolated().flatMap {
            pipeline.removeHandler(decoder).assumeIsolated().flatMap { pipeline.removeHandler(encoder) }.nonisolated()
        }.nonisolated()
    }

    /// The name is resolved by the proxy.
    private static func openSOCKS(
        _ channel: any Channel, _ host: String, _ port: Int, _ timeout: TimeAmount
    ) throws -> EventLoopFuture<Void> {
        let address = (try? SocketAddress(ipAddress: host, port: port)).map { SOCKSAddress.address($0) }
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let client = SOCKSClientHandler(targetAddress: address ?? .domain(host, port: port))
        let events = TunnelEvents(promise)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([client, events])
        let deadline = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        return promise.futureResult.assumeIsolated().flatMap {
            pipeline.removeHandler(events).assumeIsolated().flatMap { pipeline.removeHandler(client) }.nonisolated()
        }.nonisolated()
    }
}

/// Waits for a SOCKS proxy to connect.
private final class TunnelEvents: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) { self.promise = promise }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is SOCKSProxyEstablishedEvent { promise.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
