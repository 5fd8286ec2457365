import FeedCore
import NIOCore
import NIOHTTPTypes

/// Owns a connection, or a stream of HTTP/2, that receives server-sent events.
final class EventStreamHandler: ChannelInboundHandler, RemovableChannelHandler, StreamConnection {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let outlet: StreamOutlet
    private var context: ChannelHandlerContext?
    private var isFinishing = false

    init(_ outlet: StreamOutlet) { self.outlet = outlet }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        context.triggerUserOutboundEvent(StreamOpened(), promise: nil)
        StreamSocket.prepare(context.channel)
        sendComment()
        outlet.open(self)
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    var isWritable: Bool { context?.channel.isWritable ?? false }

    func write(_ event: ByteBuffer) {
        if !isFinishing { context?.write(wrapOutboundOut(.body(event)), promise: nil) }
    }

    func flush() { context?.flush() }

    private func sendComment() {
        write(StreamNotice.comment(at: outlet.nextPosition()))
        flush()
    }

    func finish(_ end: StreamEnd) {
        guard let context, !isFinishing else { return }
        isFinishing = true
        let event = StreamNotice.lastEvent(end, retryAfter: end.retryDelay)
        context.write(wrapOutboundOut(.body(event)), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    /// Closes the connection if the client does not even read the last event.
    func beat() {
        if isFinishing {
            context?.close(promise: nil)
        } else if isWritable {
            sendComment()
        }
    }

    /// Anything that the client still sends is ignored.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    /// The handlers above belonged to the task, which no longer reads.
    func channelReadComplete(context: ChannelHandlerContext) { context.read() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        outlet.resume()
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension StreamEnd {
    /// After how many milliseconds the client should connect again; `nil` to leave it to the client. At random, because
    /// otherwise all clients would come at the same time.
    var retryDelay: Int? {
        switch self {
        case .shutdown: Int.random(in: 2000...15_000)
        case .unavailable: Int.random(in: 1000...10_000)
        case .slow, .unauthorized: nil
        }
    }
}
