import NIOCore
import NIOExtras
import NIOHTTP1

/// Answers requests with stored responses, below the codec and without a task, and stores the responses of the ordinary
/// path that handlers declare to be reusable. It passes on everything else unchanged and in order.
final class StoredResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request whose head has arrived, but not its end.
    struct Held {
        let request: PlainRequest
        let start: ContinuousClock.Instant
        /// The response that the request refreshes on the ordinary path.
        var refreshes: StoredResponse.Key?
    }

    /// A request whose end has arrived, too. It waits for another one that refreshes its response.
    struct Waiting {
        var held: Held
        let number: Int
        let deadline: Scheduled<Void>
    }

    /// A request on the ordinary path, the only one there, whose response may be stored.
    struct Candidate {
        let request: PlainRequest
        let revision: Int
        var refreshes: StoredResponse.Key?
        var response: ReusableResponse?
    }

    /// The maximum wait for another request, which may belong to a client that has to wait for its turn.
    static let maximumWait = TimeAmount.milliseconds(50)

    let responses: StoredResponses
    let connection: ConnectionHandler
    private let isEncrypted: Bool
    var order = ResponseOrder()
    var boundary = RequestBoundary()
    /// The request that arrived last, if a stored response has answered it.
    private(set) var answered: PlainRequest?
    var held: Held?
    var waiting: Waiting?
    /// The number of requests that have waited.
    var waits = 0
    var candidate: Candidate?
    private var peer: StoredResponses.Connection?
    private(set) var context: ChannelHandlerContext?
    /// The context of the encoder, below which complete heads are written.
    var encoder: ChannelHandlerContext?

    /// - Parameter connection: Enforces the limits of the connection, also for the requests that it does not see.
    init(_ responses: StoredResponses, connection: ConnectionHandler, isEncrypted: Bool) {
        self.responses = responses
        self.connection = connection
        self.isEncrypted = isEncrypted
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        (self.context, encoder) = (nil, nil)
        drop()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            let isLast = !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "upgrade")
            boundary.decodedHead(isLast: isLast)
            receive(head, PlainRequest(head), context)
        case .body:
            boundary.decodedBody()
            release(context)
            context.fireChannelRead(data)
        case .end(let trailers):
            boundary.decodedEnd()
            receiveEnd(trailers, context)
        }
    }

    private func receive(
        _ head: HTTPRequestHead, _ plain: @autoclosure () -> PlainRequest?, _ context: ChannelHandlerContext
    ) {
        stopWaiting(context)
        answered = nil
        if order.isFree, let request = plain() {
            held = Held(request: request, start: .now)
        } else {
            order.passedHead(isLast: !head.isKeepAlive)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
    }

    private func receiveEnd(_ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) {
        if trailers == nil, isAnswered(context) { return }
        release(context)
        order.passedEnd()
        context.fireChannelRead(wrapInboundOut(.end(trailers)))
    }

    /// Receives a request without a body that has not been decoded, because its bytes are known.
    /// - Returns: Whether no handler above has received anything.
    func receive(_ request: PlainRequest, _ context: ChannelHandlerContext) -> Bool {
        receive(request.head, request, context)
        receiveEnd(nil, context)
        return answered != nil || waiting != nil
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The end of a request without a body arrives together with its head.
        release(context)
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        drop()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        boundary.stop()
        stopWaiting(context)
        release(context)
        order.stop()
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            if stopWaiting(context) { context.fireChannelReadComplete() }
            order.stop()
        // The ordinary path answers the requests that it has, and closes the connection.
        case let event as ChannelEvent where event == .inputClosed:
            if stopWaiting(context) { context.fireChannelReadComplete() }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let response = event as? ReusableResponse else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        candidate?.response = response
        promise?.succeed()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            order.sentHead(isLast: !head.isKeepAlive)
            store(head, context)
        case .body: break
        case .end:
            order.sentEnd()
            refreshEnded()
            candidate = nil
        }
        context.write(data, promise: promise)
    }

    /// Answers the held request with a stored response, or lets it wait for another one that refreshes it.
    /// - Returns: Whether the request must not take the ordinary path now.
    private func isAnswered(_ context: ChannelHandlerContext) -> Bool {
        guard let held, let encoder, context.channel.isWritable, connection.permitsStoredResponse else { return false }
        switch responses.decide(held.request, on: peer(context)) {
        case .answer(let answer):
            self.held = nil
            answered = held.request
            send(answer, to: held, encoder)
            return true
        case .refresh(let key):
            if wait(held, for: key, context) { return true }
            self.held?.refreshes = key
            return false
        case .pass: return false
        }
    }

    func send(_ answer: StoredResponses.Answer, to held: Held, _ encoder: ChannelHandlerContext) {
        connection.sentStoredResponse()
        responses.record(answer, to: held.request, since: held.start)
        encoder.write(HTTPResponseEncoder.wrapOutboundOut(.byteBuffer(answer.head)), promise: nil)
        if let body = answer.body, body.readableBytes > 0 {
            encoder.write(HTTPResponseEncoder.wrapOutboundOut(.byteBuffer(body)), promise: nil)
        }
        encoder.flush()
    }

    /// Lets the held request take the ordinary path.
    func release(_ context: ChannelHandlerContext) {
        guard let held else { return }
        self.held = nil
        candidate = Candidate(request: held.request, revision: responses.revision, refreshes: held.refreshes)
        order.passedHead(isLast: false)
        context.fireChannelRead(wrapInboundOut(.head(held.request.head)))
    }

    private func store(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
        guard let candidate, let response = candidate.response else { return }
        responses.store(
            response, head, to: candidate.request, on: peer(context), revision: candidate.revision)
        refreshEnded()
    }

    func peer(_ context: ChannelHandlerContext) -> StoredResponses.Connection {
        if let peer { return peer }
        let found = StoredResponses.Connection(
            peer: context.channel.remoteAddress?.ipAddress, isEncrypted: isEncrypted)
        peer = found
        return found
    }
}
