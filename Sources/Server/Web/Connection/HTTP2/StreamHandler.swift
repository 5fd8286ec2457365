import FeedAPI
import FeedCore
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// The counterpart of ``ConnectionHandler`` for a stream of HTTP/2: it checks the head, applies the limits of
/// ``ConnectionTimer``, and sends `100 Continue` only when a handler reads the body.
final class StreamHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private var timer: ConnectionTimer
    private var repeating = RepeatingCheck()
    private var disconnect = DisconnectWatch()
    /// Bytes of the response that the client's window or the socket holds back.
    private var unsent = 0
    private var progress = StreamProgress()
    private var isWaiting = false
    private var hasHead = false
    private var isRefused = false
    private var expectsContinue = false

    init(limits: ConnectionLimits) {
        self.limits = limits
        timer = ConnectionTimer(limits: limits, now: NIODeadline.now().milliseconds)
    }

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
        switch unwrapInboundIn(data) {
        case .head(let head): return receive(head, context)
        case .body(let bytes):
            expectsContinue = false
            if timer.receivedBody(bytes: bytes.readableBytes) { return context.close(promise: nil) }
        case .end: timer.receivedEnd()
        }
        if !isRefused { context.fireChannelRead(data) }
    }

    private func receive(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        hasHead = true
        timer.receivedHead(now: NIODeadline.now().milliseconds)
        var head = head
        do {
            try StreamHeadRules.check(&head, limits)
            expectsContinue = head.headerFields[.expect]?.lowercased() == "100-continue"
            context.fireChannelRead(wrapInboundOut(.head(head)))
        } catch {
            refuse(error, context, sendsBody: head.method != .head)
        }
    }

    private func refuse(
        _ refusal: RequestHeadRules.Refusal, _ context: ChannelHandlerContext, sendsBody: Bool = true
    ) {
        isRefused = true
        var json = JSONWriter(capacity: 128)
        json.object { $0.field("error", refusal.message) }
        let head = HTTPResponse(
            status: .init(code: Int(refusal.status.code), reasonPhrase: refusal.status.reasonPhrase),
            headerFields: [
                .contentType: "application/json; charset=utf-8", .contentLength: String(json.bytes.count),
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if sendsBody { context.write(wrapOutboundOut(.body(.init(bytes: json.bytes))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: ended(nil, context))
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
        // A file cannot bypass the framing. A stream's channel would ignore the event.
        case is SendFile: promise?.fail(ChannelError.operationUnsupported)
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: context.write(data, promise: promise)
        case .body(let bytes): context.write(data, promise: counted(bytes.readableBytes, promise, context))
        case .end: context.write(data, promise: ended(promise, context))
        }
    }

    /// A promise that is completed when the bytes have been written to the network.
    private func counted(
        _ bytes: Int, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
        unsent += bytes
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { _ in bound.value.written(bytes) }
        return promise
    }

    private func written(_ bytes: Int) {
        unsent -= bytes
        progress.wrote(bytes)
    }

    private func ended(
        _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess {
            let (handler, context) = bound.value
            handler.finish(context)
        }
        return promise
    }

    /// After a complete response, asks the client to stop sending the rest of the body (RFC 9113 §8.1).
    private func finish(_ context: ChannelHandlerContext) {
        timer.sentEnd(now: NIODeadline.now().milliseconds)
        guard timer.hasBodyLeft, context.channel.isActive else { return }
        context.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError), promise: nil)
    }

    /// Responds 400 to heads that NIOHTTP2 accepts but the codec rejects.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !hasHead, !(error is any NIOHTTP2Error), context.channel.isActive else {
            return context.fireErrorCaught(error)
        }
        hasHead = true
        timer.receivedHead(now: NIODeadline.now().milliseconds)
        refuse(.init(status: .badRequest, message: "The request head is malformed"), context)
    }

    private func check(_ context: ChannelHandlerContext) {
        let taken = progress.measure(acknowledged: unsent > 0 ? Self.acknowledged(context) : nil)
        let now = NIODeadline.now().milliseconds
        guard timer.tick(now: now, buffered: unsent, acknowledged: taken, isWaiting: isWaiting) else { return }
        context.close(promise: nil)
    }

    /// The bytes that the client has acknowledged on the connection; `nil` unless bytes wait for the socket.
    private static func acknowledged(_ context: ChannelHandlerContext) -> Int64? {
        guard let connection = context.channel.parent else { return nil }
        let buffered = try? connection.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)
        return buffered ?? 0 > 0 ? AcknowledgedBytes.of(connection) : nil
    }
}
