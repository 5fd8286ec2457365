import FeedCore
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS

/// Closes connections whose TLS handshake is too slow or whose TLS fails.
final class TLSHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let limit: TimeAmount
    private var timeout: Scheduled<Void>?
    private var isComplete = false

    /// - Parameter limit: Milliseconds.
    init(limit: Int64) { self.limit = .milliseconds(limit) }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timeout = context.eventLoop.scheduleTask(in: limit) { bound.value.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timeout?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted:
            isComplete = true
            timeout?.cancel()
        case is ChannelShouldQuiesceEvent where !isComplete: context.close(promise: nil)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// The errors of TLS and of the socket are not passed on: the handlers of HTTP would respond to them.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Many clients close without a close_notify alert. The end of the input is reported separately.
        if case NIOSSLError.uncleanShutdown = error { return }
        context.close(promise: nil)
    }
}

/// Refuses plain HTTP on a port with TLS: in the handshake that fails otherwise, clients see only that the connection ends.
final class PlainHTTPDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The first bytes of methods. A handshake begins with 22 (RFC 8446, section 5.1).
    private static let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")

    private let limits: ConnectionLimits

    init(limits: ConnectionLimits) { self.limits = limits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let pipeline = context.pipeline.syncOperations
        if let first = unwrapInboundIn(data).readableBytesView.first, Self.letters.contains(first) {
            // It passes nothing on, so TLS does not begin; `TLSHandshakeHandler` limits the time.
            try? pipeline.addHandler(ConnectionRefusal.plainHTTP(limits: limits), position: .after(self))
        }
        context.fireChannelRead(data)
        pipeline.removeHandler(context: context, promise: nil)
    }
}
