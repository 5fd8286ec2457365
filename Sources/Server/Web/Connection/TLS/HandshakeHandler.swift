import NIOCore
import NIOSSL
import NIOTLS

/// Closes connections whose TLS handshake is too slow or whose TLS fails.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
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
