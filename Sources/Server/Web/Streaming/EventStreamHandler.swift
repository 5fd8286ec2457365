import FeedCore
import NIOCore
import NIOExtras

/// Owns a connection, or a stream of HTTP/2, that receives server-sent events. Anything that the client still sends is
/// dropped by the handler of HTTP.
final class EventStreamHandler: ChannelInboundHandler, RemovableChannelHandler, EventChannelHandler {
    typealias InboundIn = Never
    typealias OutboundOut = ResponsePart

    private let output: StreamBuffer
    private var context: ChannelHandlerContext?
    private var isFinishing = false

    init(_ output: StreamBuffer) { self.output = output }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        StreamSocketOptions.prepare(context.channel)
        sendComment()
        output.open(self)
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    var isWritable: Bool { context?.channel.isWritable ?? false }

    func write(_ event: ByteBuffer) {
        if !isFinishing { context?.write(wrapOutboundOut(.body(event)), promise: nil) }
    }

    func flush() { context?.flush() }

    private func sendComment() {
        write(StreamNotice.comment(at: output.nextPosition()))
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
        context.writeAndFlush(wrapOutboundOut(.end), promise: written)
    }

    /// Closes the connection if the client does not even read the last event.
    func heartbeat() {
        if isFinishing {
            context?.close(promise: nil)
        } else if isWritable {
            sendComment()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        output.resume()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
        if event is ChannelShouldQuiesceEvent { output.finish(.shutdown) }
        context.fireUserInboundEventTriggered(event)
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
