import FeedCore
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The counterpart of ``HTTP1Handler`` for a stream of HTTP/2: it answers the request, applies the limits of
/// ``ConnectionTimeouts``, and sends `100 Continue` only when a task reads the body.
final class HTTP2StreamHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let handler: RequestHandler
    private let connection: ClientConnection
    private let limits: ConnectionLimits
    private let tasks: OpenTasks
    private var timer: ConnectionTimeouts
    private var repeating = RepeatingCheck()
    private var disconnect = DisconnectWatch()
    /// Bytes of the response that the client's window or the socket holds back.
    private var unsent = 0
    private var progress = HTTP2StreamProgress()
    private var writers = WriterQueue()
    private var hasHead = false
    private var isRead = false
    private var expectsContinue = false
    private var body: RequestBodyStream?
    private var task: Task<Void, Never>?
    private var wantsBody = false
    /// Whether the channel wants to read, which happens only as far as a task wants the body.
    private var wantsRead = false
    private var isWaiting = false

    init(_ handler: RequestHandler, _ connection: ClientConnection, limits: ConnectionLimits, tasks: OpenTasks) {
        (self.handler, self.connection) = (handler, connection)
        (self.limits, self.tasks) = (limits, tasks)
        timer = ConnectionTimeouts(limits: limits, now: NIODeadline.now().milliseconds)
    }

    func handlerAdded(context: ChannelHandlerContext) { repeating.start(context) { [self] in check($0) } }

    func handlerRemoved(context: ChannelHandlerContext) { repeating.stop() }

    func channelInactive(context: ChannelHandlerContext) {
        repeating.stop()
        disconnect.end()
        writers.failAll(ChannelError.ioOnClosedChannel)
        body?.fail(ChannelError.inputClosed)
        // Writes are not cancelled: what has begun is committed.
        if isRead { task?.cancel() }
        (body, task) = (nil, nil)
        context.fireChannelInactive()
    }

    // MARK: Request

    func read(context: ChannelHandlerContext) {
        wantsRead = true
        readIfWanted(context)
    }

    /// Flow control holds back a body that is not read.
    private func readIfWanted(_ context: ChannelHandlerContext) {
        guard wantsRead, body == nil || wantsBody else { return }
        (wantsRead, isWaiting) = (false, true)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        switch unwrapInboundIn(data) {
        case .headers(let frame) where !hasHead: receive(frame, context)
        // Trailers.
        case .headers(let frame): if frame.endStream { receiveEnd() }
        case .data(let frame):
            if case .byteBuffer(let bytes) = frame.data { receive(bytes, context) }
            if frame.endStream { receiveEnd() }
        default: break
        }
    }

    private func receive(_ frame: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
        hasHead = true
        timer.receivedHead(now: NIODeadline.now().milliseconds)
        if frame.endStream { timer.receivedEnd() }
        do {
            let head = try HTTP2RequestRule.head(frame.headers, limits)
            begin(head, frame.endStream ? .none : makeBody(context), context)
        } catch {
            let request = Request(
                refused: frame.headers.first(name: ":method"), target: frame.headers.first(name: ":path"),
                headers: .http2(frame.headers), isSecure: true)
            send(handler.refuse(request, with: Response(error), on: connection), context)
        }
    }

    private func makeBody(_ context: ChannelHandlerContext) -> RequestBody {
        let loop = context.eventLoop
        let bound = NIOLoopBound((self, context), eventLoop: loop)
        let body = RequestBodyStream {
            loop.execute {
                let (handler, context) = bound.value
                handler.readBody(context)
            }
        }
        self.body = body
        return RequestBody(body)
    }

    private func begin(_ head: HTTP2RequestHead, _ body: RequestBody, _ context: ChannelHandlerContext) {
        expectsContinue = head.expectsContinue
        let request = Request(
            method: head.method, target: head.target, host: head.host, isSecure: true, headers: .http2(head.headers),
            body: body)
        isRead = request.isRead
        switch handler.begin(request, on: connection) {
        case .respond(let response): send(response, context)
        case .perform(let work): task = RequestTask.start(work, on: context.channel, tasks: tasks)
        }
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        expectsContinue = false
        if timer.receivedBody(bytes: bytes.readableBytes) { return context.close(promise: nil) }
        if let body, bytes.readableBytes > 0 { wantsBody = body.yield(bytes) }
    }

    private func receiveEnd() {
        timer.receivedEnd()
        body?.finish()
        body = nil
    }

    private func readBody(_ context: ChannelHandlerContext) {
        wantsBody = true
        readIfWanted(context)
    }

    // MARK: Response

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard context.channel.isActive else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .response(let response):
            send(response, context)
            promise?.succeed()
        case .body(let bytes):
            write(bytes, endsStream: false, nil, context)
            if context.channel.isWritable { promise?.succeed() } else { writers.add(promise) }
        // A file cannot bypass the framing.
        case .file: promise?.fail(ChannelError.operationUnsupported)
        case .end: context.write(wrapOutboundOut(HTTP2ResponseEncoder.end), promise: ended(promise, context))
        case .abort: context.writeAndFlush(wrapOutboundOut(.rstStream(.internalError)), promise: promise)
        }
    }

    private func send(_ response: Response, _ context: ChannelHandlerContext) {
        switch response.body.content {
        case .bytes(let bytes) where bytes.readableBytes == 0:
            let head = HTTP2ResponseEncoder.head(response, endsStream: true)
            context.write(wrapOutboundOut(head), promise: ended(nil, context))
        case .bytes(let bytes):
            context.write(wrapOutboundOut(HTTP2ResponseEncoder.head(response, endsStream: false)), promise: nil)
            write(bytes, endsStream: true, ended(nil, context), context)
        case .written, .takeover:
            context.write(wrapOutboundOut(HTTP2ResponseEncoder.head(response, endsStream: false)), promise: nil)
        }
        context.flush()
        if case .takeover(let takeover) = response.body.content { begin(takeover, context) }
    }

    /// - Parameter promise: Completed when the bytes have been written to the network.
    private func write(
        _ bytes: ByteBuffer, endsStream: Bool, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        let count = bytes.readableBytes
        unsent += count
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { _ in bound.value.written(count) }
        context.write(wrapOutboundOut(HTTP2ResponseEncoder.body(bytes, endsStream: endsStream)), promise: promise)
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
        context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { writers.succeedAll() }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Tasks and streams

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case let event as WatchDisconnect: disconnect.watch(event)
        case is WantsBody:
            if expectsContinue {
                expectsContinue = false
                context.writeAndFlush(wrapOutboundOut(HTTP2ResponseEncoder.continueHead), promise: nil)
            }
            readBody(context)
        default: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }

    /// The stream watches its client with a timer of its own.
    private func begin(_ takeover: ChannelTakeover, _ context: ChannelHandlerContext) {
        repeating.stop()
        do { try takeover.begin(context.channel) } catch { context.close(promise: nil) }
    }

    // MARK: Limits

    private func check(_ context: ChannelHandlerContext) {
        let taken = progress.measure(acknowledged: unsent > 0 ? Self.acknowledged(context) : nil)
        let now = NIODeadline.now().milliseconds
        guard timer.tick(now: now, buffered: unsent, acknowledged: taken, isWaiting: isWaiting) else { return }
        context.close(promise: nil)
    }

    /// The bytes that the client has acknowledged on the connection; `nil` unless bytes wait for the socket.
    private static func acknowledged(_ context: ChannelHandlerContext) -> Int64? {
        guard let connection = context.channel.parent else { return nil }
        return connection.bufferedBytes > 0 ? AcknowledgedBytes.count(on: connection) : nil
    }
}
