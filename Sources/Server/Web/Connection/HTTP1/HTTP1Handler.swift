import FeedCore
import HTTPTypes
import NIOCore
import NIOExtras
import NIOHTTP1

/// Answers the requests of a connection of HTTP/1, one after the other, and enforces the limits of
/// ``ConnectionTimeouts``.
///
/// It answers at once what needs no task; `100 Continue` is sent only when a task reads the body, so that a client
/// whose request is refused need not send it.
final class HTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = IOData

    private let handler: RequestHandler
    private let connection: ClientConnection
    private let tasks: OpenTasks
    private let pipelining: HTTP1PipeliningHandler
    private var state: HTTP1ConnectionState
    private var repeating = RepeatingCheck()
    private var disconnect = DisconnectWatch()
    private var task: Task<Void, Never>?
    private let output = HTTP1ResponseWriter()
    private var needsFlush = false

    init(
        _ handler: RequestHandler, _ connection: ClientConnection, _ pipelining: HTTP1PipeliningHandler,
        limits: ConnectionLimits, tasks: OpenTasks
    ) {
        (self.handler, self.connection, self.pipelining) = (handler, connection, pipelining)
        self.tasks = tasks
        state = HTTP1ConnectionState(limits: limits, now: NIODeadline.now().milliseconds)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        repeating.start(context) { [self] in check($0) }
        pipelining.connect(
            demand: { [unowned self] in state.demand(isWritable: context.channel.isWritable) },
            discarded: { [unowned self] in if state.ending.drop($0) { abort(context) } })
    }

    func handlerRemoved(context: ChannelHandlerContext) { repeating.stop() }

    func channelInactive(context: ChannelHandlerContext) {
        state.ending = .over
        repeating.stop()
        disconnect.end()
        output.fail(ChannelError.ioOnClosedChannel)
        state.input.fail(ChannelError.inputClosed)
        // Writes are not cancelled: what has begun is committed.
        if state.exchange?.method == .GET || state.exchange?.method == .HEAD { task?.cancel() }
        forgetRequest()
        context.fireChannelInactive()
    }

    private func forgetRequest() {
        task = nil
        state.forgetRequest()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !state.ending.dropsInput else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): receive(head, context)
        case .body(let bytes): receive(bytes, context)
        case .end: receiveEnd(context)
        }
    }

    private func receive(_ received: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // ``HTTP1PipeliningHandler`` never lets it happen; two requests in progress would mix up their responses.
        guard state.exchange == nil, !state.timer.isExhausted else { return abort(context) }
        state.timer.receivedHead(now: NIODeadline.now().milliseconds)
        var received = received
        do { try HTTP1RequestRule.check(&received) } catch { return refuse(error, received, context) }
        let exchange = HTTP1Exchange(received)
        let body = exchange.hasBody ? bodyStream(context) : nil
        state.exchange = exchange
        state.input.begin(received, exchange, body)
        if let body { begin(received, RequestBody(body), context) }
    }

    private func bodyStream(_ context: ChannelHandlerContext) -> RequestBodyStream {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        return RequestBodyStream { [loop = context.eventLoop] in
            loop.execute {
                bound.value.state.input.want()
                bound.value.pipelining.resume()
            }
        }
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        state.exchange?.expectsContinue = false
        state.input.count(bytes.readableBytes)
        if state.timer.receivedBody(bytes: bytes.readableBytes) { return abort(context) }
        if !state.timer.isDraining { state.input.pass(bytes) }
    }

    private func receiveEnd(_ context: ChannelHandlerContext) {
        state.timer.receivedEnd()
        if let head = state.input.end() { begin(head, .none, context) }
    }

    private func begin(_ head: HTTPRequestHead, _ body: RequestBody, _ context: ChannelHandlerContext) {
        guard let request = Request(head, body, isSecure: connection.isEncrypted) else {
            return refuse(.init(status: .badRequest, message: "The method is malformed"), head, context)
        }
        switch handler.begin(request, on: connection) {
        case .respond(let response): send(response, context)
        case .perform(let work): task = RequestTask.start(work, on: context.channel, tasks: tasks)
        }
    }

    /// Refuses a head that violates the rules of HTTP, after which nothing of the connection can be interpreted.
    private func refuse(_ refusal: HeadRefusal, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        (state.exchange, state.ending) = (HTTP1Exchange(head), .afterResponse)
        let request = Request(
            refused: head.method.rawValue, target: head.uri, headers: .http1(head.headers),
            isSecure: connection.isEncrypted)
        send(handler.refuse(request, with: Response(refusal), on: connection), context)
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state.exchange != nil else { promise?.fail(ChannelError.ioOnClosedChannel); return }
        switch unwrapOutboundIn(data) {
        case .response(let response):
            send(response, context)
            promise?.succeed()
        case .body(let bytes): output.write(bytes, context, promise)
        case .file(let region): output.write(region, context, promise)
        case .end:
            output.end(context)
            finish(context, promise)
        case .abort:
            promise?.succeed()
            abort(context)
        }
    }

    private func send(_ response: Response, _ context: ChannelHandlerContext) {
        guard let exchange = state.exchange else { return }
        let framing = exchange.framing(of: response)
        if !response.body.replacesHTTP, state.isLast(response, framing) { state.ending = .afterResponse }
        output.begin(
            response, framing, isOld: exchange.version.isOld,
            closes: state.ending != .no && !response.body.replacesHTTP,
            context)
        switch response.body.content {
        case .bytes: finish(context, nil)
        case .written: flush(context)
        case .takeover(let takeover): begin(takeover, context)
        }
    }

    /// The response is complete.
    private func finish(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard !state.isTaken else {
            output.flush(context, promise)
            return
        }
        forgetRequest()
        state.timer.sentEnd(now: NIODeadline.now().milliseconds)
        // A flush may begin the next request.
        let isLast = state.ending != .no
        flush(context)
        if isLast { close(context) } else { pipelining.resume() }
        promise?.succeed()
    }

    /// During a read, ``channelReadComplete(context:)`` flushes all responses together.
    private func flush(_ context: ChannelHandlerContext) {
        if pipelining.isPassing { needsFlush = true } else { context.flush() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if needsFlush {
            needsFlush = false
            context.flush()
        }
        if state.isTaken { context.fireChannelReadComplete() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            output.resume()
            if state.exchange == nil { pipelining.resume() }
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Tasks and streams

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case let event as WatchDisconnect: disconnect.watch(event)
        case is WantsBody: readBody(context)
        default: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }

    private func readBody(_ context: ChannelHandlerContext) {
        state.input.want()
        if state.exchange?.expectsContinue == true {
            state.exchange?.expectsContinue = false
            output.sendContinue(context)
        }
        pipelining.resume()
    }

    private func begin(_ takeover: ChannelTakeover, _ context: ChannelHandlerContext) {
        state.isTaken = true
        repeating.stop()
        context.flush()
        do { try takeover.begin(context.channel) } catch { return abort(context) }
        guard takeover.replacesHTTP else { return pipelining.resume() }
        forgetRequest()
        pipelining.removeHTTP(context)
    }

    // MARK: The end of the connection

    /// Closes after the last response has been written: closing earlier would discard what is buffered.
    private func close(_ context: ChannelHandlerContext) {
        let hasInput = state.timer.hasBodyLeft || pipelining.hasPending
        state.ending = hasInput ? .lingering(since: NIODeadline.now().milliseconds, dropped: 0) : .over
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.close(mode: hasInput ? .output : .all, promise: nil) }
        output.flush(context, written)
        if hasInput { pipelining.resume() }
    }

    /// Closes immediately. Input that arrives until TLS has closed is ignored.
    private func abort(_ context: ChannelHandlerContext) {
        state.ending = .over
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent where !state.isTaken:
            if state.quiesce(buffered: context.channel.bufferedBytes) { abort(context) }
        case is ClientFinished: disconnect.end()
        case is InputOverflow: overflow(context)
        case let event as ChannelEvent where event == .inputClosed:
            disconnect.end()
            if !state.isTaken { inputClosed(context) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func overflow(_ context: ChannelHandlerContext) {
        state.ending.beLast()
        if state.exchange == nil { abort(context) }
    }

    /// The client has finished sending, but may wait for the response.
    private func inputClosed(_ context: ChannelHandlerContext) {
        // The connection closes once the last response has been written: closing now would discard the rest of it.
        guard !state.ending.dropsInput else { return }
        state.input.fail(ChannelError.inputClosed)
        state.ending.beLast()
        if state.exchange == nil || state.input.awaitsEnd { close(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !state.isTaken else { return abort(context) }
        guard !state.ending.dropsInput else { return }
        state.ending.beLast()
        if state.input.fail(error) {
            state.input.forget()
        } else if state.timer.isDraining {
            // The request has been answered.
            close(context)
        } else if state.exchange == nil || state.input.awaitsEnd {
            state.input.forget()
            refuse(.init(status: .badRequest, message: "The request is malformed"), .unreadable, context)
        }
    }

    /// Enforces the limits of time.
    private func check(_ context: ChannelHandlerContext) {
        let buffered = context.channel.bufferedBytes
        let acknowledged = buffered > 0 ? AcknowledgedBytes.count(on: context.channel) : nil
        let ends = state.tick(
            now: NIODeadline.now().milliseconds, buffered: buffered, acknowledged: acknowledged,
            isReading: pipelining.isReading)
        if ends || output.isTruncated { abort(context) }
    }
}
