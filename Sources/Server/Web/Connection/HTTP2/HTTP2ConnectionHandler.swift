import FeedCore
import NIOCore
import NIOHTTP2

/// Ends an HTTP/2 connection: when it is idle, when the server shuts down, and after a connection error, which
/// `NIOHTTP2Handler` only reports.
final class HTTP2ConnectionHandler: ChannelInboundHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private var state: HTTP2ConnectionState
    private var repeating = RepeatingCheck()
    private var lastStream = HTTP2StreamID.rootStream
    /// Whether the server has announced a connection error.
    private var hasFailed = false

    init(limits: ConnectionLimits) {
        state = HTTP2ConnectionState(limits: limits, now: NIODeadline.now().milliseconds)
    }

    /// Counts the streams of this connection.
    func counter(on eventLoop: any EventLoop) -> HTTP2StreamCounter {
        HTTP2StreamCounter(connection: NIOLoopBound(self, eventLoop: eventLoop))
    }

    func handlerAdded(context: ChannelHandlerContext) { repeating.start(context) { [self] in check($0) } }

    func handlerRemoved(context: ChannelHandlerContext) { repeating.stop() }

    func channelInactive(context: ChannelHandlerContext) {
        repeating.stop()
        context.fireChannelInactive()
    }

    /// Only frames of the connection itself arrive here, and `NIOHTTP2Handler` has handled them.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { perform(state.end(), context) }
        // Without input, the client can neither enlarge a window nor cancel a request.
        if case .inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        if case .goAway(_, let code, _) = frame.payload, code != .noError { hasFailed = true }
    }

    /// The errors of single streams arrive here, too; they do not end the connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard hasFailed else { return }
        // Otherwise the client could continue until the end of the TLS connection, and each frame would be answered.
        try? context.channel.syncOptions?.setOption(ChannelOptions.autoRead, value: false)
        context.close(promise: nil)
    }

    private func check(_ context: ChannelHandlerContext) {
        perform(state.tick(now: NIODeadline.now().milliseconds), context)
    }

    private func perform(_ action: HTTP2ConnectionState.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .none: break
        case .goAway:
            let payload = HTTP2Frame.FramePayload.goAway(
                lastStreamID: lastStream, errorCode: .noError, opaqueData: nil)
            context.writeAndFlush(
                wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
        case .close: context.close(promise: nil)
        }
    }

    fileprivate func opened(_ id: HTTP2StreamID) {
        lastStream = max(lastStream, id)
        state.opened()
    }

    fileprivate func closed() { state.closed(now: NIODeadline.now().milliseconds) }
}

/// Tells a connection about its streams. NIOHTTP2 calls it on the event loop of the connection.
struct HTTP2StreamCounter: NIOHTTP2StreamDelegate {
    fileprivate let connection: NIOLoopBound<HTTP2ConnectionHandler>

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) { connection.value.opened(id) }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) { connection.value.closed() }
}

/// The state of a connection of HTTP/2, which decides when it ends: after it has been idle for too long, after many
/// requests, or when the server shuts down. Times are milliseconds of a monotonic clock. Streams have limits of their
/// own (``HTTP2StreamHandler``).
struct HTTP2ConnectionState {
    enum Action: Equatable {
        case none
        /// Announce that no further stream will be accepted (RFC 9113 §6.8).
        case goAway
        case close
    }

    private let limits: ConnectionLimits
    private var openStreams = 0
    private var requests = 0
    private var idleSince: Int64
    private var isFirst = true
    private var isEnding = false

    init(limits: ConnectionLimits, now: Int64) {
        self.limits = limits
        idleSince = now
    }

    mutating func opened() {
        openStreams += 1
        requests += 1
        isFirst = false
    }

    mutating func closed(now: Int64) {
        openStreams = max(0, openStreams - 1)
        idleSince = now
    }

    /// The server shuts down, the connection is idle, or it has carried its share of requests.
    mutating func end() -> Action {
        guard !isEnding else { return .none }
        isEnding = true
        return .goAway
    }

    /// Must be called regularly. The connection closes at the earliest one call after the announcement, when all streams
    /// have ended.
    mutating func tick(now: Int64) -> Action {
        if requests >= limits.requests, !isEnding { return end() }
        guard openStreams == 0 else { return .none }
        if isEnding { return .close }
        return now - idleSince >= (isFirst ? limits.firstHead : limits.nextHead) ? end() : .none
    }
}
