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
    private struct Held {
        let head: HTTPRequestHead
        let request: PlainRequest
        let start: ContinuousClock.Instant
    }

    /// A request on the ordinary path, the only one there, whose response may be stored.
    private struct Candidate {
        let head: HTTPRequestHead
        let request: PlainRequest
        let revision: Int
        var response: ReusableResponse?
    }

    private let responses: StoredResponses
    private let connection: ConnectionHandler
    private let isEncrypted: Bool
    private var order = ResponseOrder()
    private var held: Held?
    private var candidate: Candidate?
    private var peer: StoredResponses.Connection?
    /// The context of the encoder, below which complete heads are written.
    private var encoder: ChannelHandlerContext?

    /// - Parameter connection: Enforces the limits of the connection, also for the requests that it does not see.
    init(_ responses: StoredResponses, connection: ConnectionHandler, isEncrypted: Bool) {
        self.responses = responses
        self.connection = connection
        self.isEncrypted = isEncrypted
    }

    func handlerAdded(context: ChannelHandlerContext) {
        encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { encoder = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if order.isFree, let request = PlainRequest(head) {
                held = Held(head: head, request: request, start: .now)
            } else {
                order.passedHead(isLast: !head.isKeepAlive)
                context.fireChannelRead(data)
            }
        case .body:
            release(context)
            context.fireChannelRead(data)
        case .end(let trailers):
            if trailers == nil, answer(context) { return }
            release(context)
            order.passedEnd()
            context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The end of a request without a body arrives together with its head.
        release(context)
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        (held, candidate) = (nil, nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        release(context)
        order.stop()
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { order.stop() }
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
            candidate = nil
        }
        context.write(data, promise: promise)
    }

    /// Answers the held request with a stored response.
    /// - Returns: Whether there is one.
    private func answer(_ context: ChannelHandlerContext) -> Bool {
        guard let held, let encoder, context.channel.isWritable, connection.permitsStoredResponse,
            let answer = responses.answer(held.request, held.head, on: peer(context))
        else { return false }
        self.held = nil
        connection.sentStoredResponse()
        responses.record(answer, to: held.request, since: held.start)
        encoder.write(HTTPResponseEncoder.wrapOutboundOut(.byteBuffer(answer.head)), promise: nil)
        if let body = answer.body, body.readableBytes > 0 {
            encoder.write(HTTPResponseEncoder.wrapOutboundOut(.byteBuffer(body)), promise: nil)
        }
        encoder.flush()
        return true
    }

    /// Lets the held request take the ordinary path.
    private func release(_ context: ChannelHandlerContext) {
        guard let held else { return }
        self.held = nil
        candidate = Candidate(head: held.head, request: held.request, revision: responses.revision)
        order.passedHead(isLast: false)
        context.fireChannelRead(wrapInboundOut(.head(held.head)))
    }

    private func store(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
        guard let candidate, let response = candidate.response else { return }
        responses.store(
            response, head, to: candidate.request, candidate.head, on: peer(context), revision: candidate.revision)
    }

    private func peer(_ context: ChannelHandlerContext) -> StoredResponses.Connection {
        if let peer { return peer }
        let found = StoredResponses.Connection(
            peer: context.channel.remoteAddress?.ipAddress, isEncrypted: isEncrypted)
        peer = found
        return found
    }
}
