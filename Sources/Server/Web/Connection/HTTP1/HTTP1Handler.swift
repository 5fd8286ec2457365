import FeedCore
import HTTPTypes
import NIOCore
import NIOExtras
import NIOHTTP1

/// Answers the requests of a connection of HTTP/1, one after the other, and enforces the limits of ``ConnectionTimer``.
///
/// It answers at once what needs no task; `100 Continue` is sent only when a task reads the body, so that a client whose
/// request is refused need not send it.
final class HTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = IOData

    private let handler: RequestHandler
    private let connection: ClientConnection
    private let limits: ConnectionLimits
    private let tasks: OpenTasks
    private let splitter: RequestSplitter
    private var timer: ConnectionTimer
    private var repeating = RepeatingCheck()
    private var disconnect = DisconnectWatch()
    private var ending = ConnectionEnding.no
    private var exchange: HTTP1Exchange?
    private var input = HTTP1Input()
    private var task: Task<Void, Never>?
    private let output = HTTP1Output()
    private var needsFlush = false
    /// Whether a stream has taken the connection over.
    private var isTaken = false

    init(
        _ handler: RequestHandler, _ connection: ClientConnection, _ splitter: RequestSplitter,
        limits: ConnectionLimits, tasks: OpenTasks
    ) {
        (self.handler, self.connection, self.splitter) = (handler, connection, splitter)
        (self.limits, self.tasks) = (limits, tasks)
        timer = ConnectionTimer(limits: limits, now: NIODeadline.now().milliseconds)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        repeating.start(context) { [self] in check($0) }
        splitter.connect(
            demand: { [unowned self] in demand(context) }, discarded: { [unowned self] in discarded($0, context) })
    }

    func handlerRemoved(context: ChannelHandlerContext) { repeating.stop() }

    func channelInactive(context: ChannelHandlerContext) {
        ending = .over
        repeating.stop()
        disconnect.end()
        output.fail(ChannelError.ioOnClosedChannel)
        input.fail(ChannelError.inputClosed)
        // Writes are not cancelled: what has begun is committed.
        if exchange?.method == .GET || exchange?.method == .HEAD { task?.cancel() }
        forgetRequest()
        context.fireChannelInactive()
    }

    private func forgetRequest() {
        (exchange, task) = (nil, nil)
        input.forget()
    }

    // MARK: Requests

    private func demand(_ context: ChannelHandlerContext) -> InputDemand {
        if isTaken || ending.dropsInput { return .discard }
        if timer.isDraining { return input.rest }
        if input.awaitsEnd { return .head }
        guard exchange == nil else { return timer.hasBodyLeft && input.wantsBody ? input.rest : .none }
        // While the client does not read its responses, no further request is answered.
        return ending == .no && context.channel.isWritable ? .head : .none
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !ending.dropsInput else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): receive(head, context)
        case .body(let bytes): receive(bytes, context)
        case .end: receiveEnd(context)
        }
    }

    private func receive(_ received: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // The splitter never lets it happen; two requests in progress would mix up their responses.
        guard exchange == nil, !timer.isExhausted else { return abort(context) }
        timer.receivedHead(now: NIODeadline.now().milliseconds)
        var received = received
        // RFC 9110 §7.8.
        if received.version.isOld { received.headers.remove(name: "Upgrade") }
        do { try RequestHeadRules.check(&received) } catch { return refuse(error, received, context) }
        let exchange = HTTP1Exchange(received)
        let body = exchange.hasBody ? bodyStream(context) : nil
        self.exchange = exchange
        input.begin(received, exchange, body)
        if let body { begin(received, RequestBody(body), context) }
    }

    private func bodyStream(_ context: ChannelHandlerContext) -> RequestBodyStream {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        return RequestBodyStream { [loop = context.eventLoop] in
            loop.execute {
                bound.value.input.want()
                bound.value.splitter.resume()
            }
        }
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        exchange?.expectsContinue = false
        input.count(bytes.readableBytes)
        if timer.receivedBody(bytes: bytes.readableBytes) { return abort(context) }
        if !timer.isDraining { input.pass(bytes) }
    }

    private func receiveEnd(_ context: ChannelHandlerContext) {
        timer.receivedEnd()
        if let head = input.end() { begin(head, .none, context) }
    }

    private func begin(_ head: HTTPRequestHead, _ body: RequestBody, _ context: ChannelHandlerContext) {
        guard let method = HTTPRequest.Method(head.method.rawValue) else {
            return refuse(.init(status: .badRequest, message: "The method is malformed"), head, context)
        }
        let request = Request(
            method: method, target: head.uri, host: head.headers.first(name: "host"),
            isSecure: connection.isEncrypted, headers: .http1(head.headers), body: body)
        switch handler.begin(request, on: connection) {
        case .respond(let response): send(response, context)
        case .perform(let work): task = RequestTask.start(work, on: context.channel, tasks: tasks)
        }
    }

    /// Refuses a head that violates the rules of HTTP, after which nothing of the connection can be interpreted.
    private func refuse(
        _ refusal: RequestHeadRules.Refusal, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        (exchange, ending) = (HTTP1Exchange(head), .afterResponse)
        send(Response(refusal), context)
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard exchange != nil else { promise?.fail(ChannelError.ioOnClosedChannel); return }
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
        guard let exchange else { return }
        let framing = exchange.framing(of: response)
        if !response.body.replacesHTTP, isLast(response, exchange, framing) { ending = .afterResponse }
        output.begin(
            response, framing, isOld: exchange.version.isOld, closes: ending != .no && !response.body.replacesHTTP,
            context)
        switch response.body.content {
        case .bytes: finish(context, nil)
        case .written: flush(context)
        case .takeover(let takeover): begin(takeover, context)
        }
    }

    /// Whether the connection closes after a response. After a refusal, the rest of the body is dropped for a limited time
    /// only, so the connection cannot be reused.
    private func isLast(_ response: Response, _ exchange: HTTP1Exchange, _ framing: HTTP1Framing) -> Bool {
        exchange.isLast || framing == .close || timer.isLastResponse
            || timer.hasBodyLeft && (response.status.code >= 400 || exchange.expectsContinue)
    }

    /// The response is complete.
    private func finish(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard !isTaken else {
            output.flush(context, promise)
            return
        }
        forgetRequest()
        timer.sentEnd(now: NIODeadline.now().milliseconds)
        // A flush may begin the next request.
        let isLast = ending != .no
        flush(context)
        if isLast { close(context) } else { splitter.resume() }
        promise?.succeed()
    }

    /// During a read, ``channelReadComplete(context:)`` flushes all responses together.
    private func flush(_ context: ChannelHandlerContext) {
        if splitter.isPassing { needsFlush = true } else { context.flush() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if needsFlush {
            needsFlush = false
            context.flush()
        }
        if isTaken { context.fireChannelReadComplete() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            output.resume()
            if exchange == nil { splitter.resume() }
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
        input.want()
        if exchange?.expectsContinue == true {
            exchange?.expectsContinue = false
            output.sendContinue(context)
        }
        splitter.resume()
    }

    private func begin(_ takeover: ChannelTakeover, _ context: ChannelHandlerContext) {
        isTaken = true
        repeating.stop()
        context.flush()
        do { try takeover.begin(context.channel) } catch { return abort(context) }
        guard takeover.replacesHTTP else { return splitter.resume() }
        forgetRequest()
        splitter.removeHTTP(context)
    }

    // MARK: The end of the connection

    /// Closes after the last response has been written: closing earlier would discard what is buffered.
    private func close(_ context: ChannelHandlerContext) {
        let hasInput = timer.hasBodyLeft || splitter.hasPending
        ending = hasInput ? .lingering(since: NIODeadline.now().milliseconds, dropped: 0) : .over
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.close(mode: hasInput ? .output : .all, promise: nil) }
        output.flush(context, written)
        if hasInput { splitter.resume() }
    }

    /// Closes immediately. Input that arrives until TLS has closed is ignored.
    private func abort(_ context: ChannelHandlerContext) {
        ending = .over
        context.close(promise: nil)
    }

    private func discarded(_ bytes: Int, _ context: ChannelHandlerContext) {
        if ending.drop(bytes) { abort(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent where !isTaken: quiesce(context)
        case is ClientFinished: disconnect.end()
        case is InputOverflow: overflow(context)
        case let event as ChannelEvent where event == .inputClosed:
            disconnect.end()
            if !isTaken { inputClosed(context) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func quiesce(_ context: ChannelHandlerContext) {
        ending.beLast()
        if exchange == nil, !timer.isDraining, buffered(context) == 0 { abort(context) }
    }

    private func overflow(_ context: ChannelHandlerContext) {
        ending.beLast()
        if exchange == nil { abort(context) }
    }

    /// The client has finished sending, but may wait for the response.
    private func inputClosed(_ context: ChannelHandlerContext) {
        if ending.dropsInput { return abort(context) }
        input.fail(ChannelError.inputClosed)
        ending.beLast()
        if exchange == nil || input.awaitsEnd { close(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !isTaken else { return abort(context) }
        guard !ending.dropsInput else { return }
        ending.beLast()
        if input.fail(error) {
            input.forget()
        } else if timer.isDraining {
            // The request has been answered.
            close(context)
        } else if exchange == nil || input.awaitsEnd {
            input.forget()
            exchange = HTTP1Exchange(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"))
            send(Response(status: .badRequest, headers: [.contentLength: "0"]), context)
        }
    }

    // MARK: Limits

    /// Bytes written that the kernel has not taken.
    private func buffered(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0
    }

    private func check(_ context: ChannelHandlerContext) {
        let (buffered, now) = (buffered(context), NIODeadline.now().milliseconds)
        let isDone = ending == .afterResponse && !timer.isBusy && !timer.isDraining && buffered == 0
        if isDone || ending.isLate(now: now, limits) || output.isTruncated { return abort(context) }
        let acknowledged = buffered > 0 ? AcknowledgedBytes.count(on: context.channel) : nil
        let isWaiting = splitter.isReading && (exchange == nil || input.awaitsEnd || input.isWanted)
        if timer.tick(now: now, buffered: buffered, acknowledged: acknowledged, isWaiting: isWaiting) {
            abort(context)
        }
    }
}
