import NIOCore

/// Delivers all bytes that arrive before the server closes the connection, no faster than they are read.
///
/// When a connection ends, NIO passes on all bytes in the receive buffer at once, and AsyncHTTPClient drops those that
/// its user has not asked for yet. This handler keeps them, and closes the connection when they have been read. It must
/// be the first handler of a channel that allows half-closure.
final class UnreadInputHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var unread = CircularBuffer<ByteBuffer>()
    /// Whether the next handlers have asked for bytes. The first `read()` precedes the handler.
    private var isWanted = true
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
        guard isWanted, unread.isEmpty else { return unread.append(unwrapInboundIn(data)) }
        hasPassedBytes = true
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard hasPassedBytes else { return }
        (hasPassedBytes, isWanted) = (false, false)
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        hasInputEnded = true
        if isWanted { passUnread(context) }
    }

    func read(context: ChannelHandlerContext) {
        isWanted = true
        passUnread(context)
    }

    private func passUnread(_ context: ChannelHandlerContext) {
        guard !isPassingUnread else { return }
        isPassingUnread = true
        while isWanted, let bytes = unread.popFirst() {
            isWanted = false
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
            // As a channel with `autoRead` does.
            context.channel.read()
        }
        isPassingUnread = false
        guard isWanted else { return }
        if hasInputEnded { context.close(promise: nil) } else { context.read() }
    }
}
