import FeedCore
import HTTPTypes
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOHTTPTypes

/// An outbound event that a handler triggers before it reads a request body. The client may be waiting for `100
/// Continue` (RFC 9110 §10.1.1).
struct WantsBody: Sendable {}

/// Closes connections that exceed the limits of ``ConnectionTimer``. It sends `100 Continue` only when a handler reads
/// the body, so that a client whose request is rejected need not send it.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var timer: ConnectionTimer
    private var repeating = RepeatingCheck()
    private var disconnect = DisconnectWatch()
    private var isWaiting = false
    private var expectsContinue = false
    private var closesAfterResponse = false
    /// Whether the client asked for another protocol, after which the decoder reads no further request.
    private var isUpgrade = false
    /// Whether further requests are ignored, because the connection is about to close.
    private var isOver = false

    init(limits: ConnectionLimits) { timer = ConnectionTimer(limits: limits, now: NIODeadline.now().milliseconds) }

    /// Whether a request may be answered below this handler.
    var permitsStoredResponse: Bool { !isOver && !closesAfterResponse && timer.permitsImmediateResponse }

    /// Counts a request that was answered below this handler.
    func sentStoredResponse() { timer.respondedImmediately(now: NIODeadline.now().milliseconds) }

    func handlerAdded(context: ChannelHandlerContext) { repeating.start(context) { [self] in check($0) } }

    func handlerRemoved(context: ChannelHandlerContext) { repeating.stop() }

    func channelInactive(context: ChannelHandlerContext) {
        repeating.stop()
        disconnect.end()
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        isWaiting = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if timer.isExhausted {
                isOver = true
                return
            }
            timer.receivedHead(now: NIODeadline.now().milliseconds)
            expectsContinue = head.headerFields[.expect]?.lowercased() == "100-continue"
            isUpgrade = head.method == .connect || head.headerFields[.upgrade] != nil
        case .body(let bytes):
            expectsContinue = false
            if timer.receivedBody(bytes: bytes.readableBytes) { return context.close(promise: nil) }
            if timer.isDraining { return }
        case .end:
            let isRefused = timer.isDraining && closesAfterResponse
            timer.receivedEnd()
            if isRefused { return context.close(promise: nil) }
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // While draining, no handler above issues reads.
        if timer.isDraining { context.read() }
        context.fireChannelReadComplete()
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case is StreamOpened: repeating.stop()
        case let event as WatchDisconnect: disconnect.watch(event)
        case is WantsBody:
            if expectsContinue {
                expectsContinue = false
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
            promise?.succeed()
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isLast(head.status):
            closesAfterResponse = true
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let written = promise ?? (closesAfterResponse ? context.eventLoop.makePromise() : nil)
            context.write(data, promise: written)
            finishResponse(context, written?.futureResult)
        default: context.write(data, promise: promise)
        }
    }

    /// Responds 400 to requests that the parser accepts but the codec rejects, such as a control character in a field.
    /// Parser errors are handled further up the pipeline.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !(error is HTTPParserError), !timer.isBusy, !timer.hasBodyLeft, context.channel.isActive else {
            return context.fireErrorCaught(error)
        }
        let fields: HTTPFields = [.connection: "close", .contentLength: "0"]
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .badRequest, headerFields: fields))), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            closesAfterResponse = true
            if !timer.isBusy, Self.buffered(context) == 0 { context.close(promise: nil) }
        }
        if case .inputClosed? = event as? ChannelEvent { disconnect.end() }
        context.fireUserInboundEventTriggered(event)
    }

    /// Whether the connection closes after a response. After a refusal, the rest of the body is drained for a limited
    /// time only, so the connection cannot be reused.
    private func isLast(_ status: HTTPResponse.Status) -> Bool {
        status.code >= 200 && (isUpgrade || timer.isLastResponse || timer.hasBodyLeft && status.code >= 400)
    }

    private func finishResponse(_ context: ChannelHandlerContext, _ written: EventLoopFuture<Void>?) {
        timer.sentEnd(now: NIODeadline.now().milliseconds)
        let refusedUnsent = expectsContinue
        expectsContinue = false
        guard closesAfterResponse, !timer.isBusy else { return }
        context.flush()
        // A client that is still sending must be able to read the response, so its body is drained until `check` stops
        // it.
        if refusedUnsent || !timer.isDraining { return close(context, after: written) }
        context.read()
    }

    /// Closes once the response has been written: closing earlier would discard what is buffered.
    private func close(_ context: ChannelHandlerContext, after written: EventLoopFuture<Void>?) {
        isOver = true
        guard let written else { return context.close(promise: nil) }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.whenComplete { _ in bound.value.close(promise: nil) }
    }

    /// Bytes written that the kernel has not taken.
    private static func buffered(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0
    }

    private func check(_ context: ChannelHandlerContext) {
        let buffered = Self.buffered(context)
        if closesAfterResponse, !timer.isBusy, !timer.isDraining, buffered == 0 { return context.close(promise: nil) }
        let acknowledged = buffered > 0 ? AcknowledgedBytes.of(context.channel) : nil
        if timer.tick(
            now: NIODeadline.now().milliseconds, buffered: buffered, acknowledged: acknowledged, isWaiting: isWaiting)
        {
            return context.close(promise: nil)
        }
        if timer.isBusy { context.triggerUserOutboundEvent(CheckSentFile(), promise: nil) }
    }
}
