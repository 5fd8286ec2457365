import NIOCore

/// Delivers all bytes that arrive before the server closes the connection, no faster than they are read.
///
/// When a connection ends, NIO passes on all bytes in the receive buffer at once, and AsyncHTTPClient drops those that
/// its user has not asked for yet. This handler keeps them, and closes the connection when they have been read. After a
/// reset, it passes them on at once, as NIO does. It must be the first handler of a channel that allows half-closure.
final class UnreadInputHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var unread = CircularBuffer<ByteBuffer>()
    /// The first `read()` may precede the handler.
    private var isReadRequested = true
    /// Since the last `channelReadComplete`.
    private var hasPassedBytes = false
    private var hasInputEnded = false
    private var isPassingUnread = false

    /// Adds the handler to the channel of a connection.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.setOption(.allowRemoteHalfClosure, value: true).flatMapThrowing {
            try channel.pipeline.syncOperations.addHandler(UnreadInputHandler(), position: .first)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isReadRequested, unread.isEmpty else { return unread.append(unwrapInboundIn(data)) }
        hasPassedBytes = true
        pass(unwrapInboundIn(data), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Otherwise, AsyncHTTPClient would wait for another `read()`, which NIO does not send after the end.
        guard hasPassedBytes else { return }
        (hasPassedBytes, isReadRequested) = (false, false)
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        hasInputEnded = true
        // NIO does not send one after bytes that arrive together with the end.
        if isReadRequested { passUnread(context) } else { context.channel.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passAllUnread(context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passAllUnread(context)
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        isReadRequested = true
        passUnread(context)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        unread.removeAll()
        context.close(mode: mode, promise: promise)
    }
}

extension UnreadInputHandler {
    /// Passes on one buffer per `read()`, then the end. Closing with `context` skips TLS, whose peer is gone.
    private func passUnread(_ context: ChannelHandlerContext) {
        guard !isPassingUnread else { return }
        isPassingUnread = true
        while isReadRequested, let bytes = unread.popFirst() {
            isReadRequested = false
            pass(bytes, context)
            context.fireChannelReadComplete()
            // As a channel with `autoRead` does.
            context.channel.read()
        }
        isPassingUnread = false
        guard isReadRequested else { return }
        if hasInputEnded { context.close(promise: nil) } else { context.read() }
    }

    private func passAllUnread(_ context: ChannelHandlerContext) {
        guard !unread.isEmpty else { return }
        while let bytes = unread.popFirst() { pass(bytes, context) }
        context.fireChannelReadComplete()
    }

    /// The end of TLS is the end of the connection: with half-closure, NIOSSL would keep it open.
    private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let options = context.channel.syncOptions
        try? options?.setOption(.allowRemoteHalfClosure, value: false)
        context.fireChannelRead(wrapInboundOut(bytes))
        try? options?.setOption(.allowRemoteHalfClosure, value: true)
    }
}
