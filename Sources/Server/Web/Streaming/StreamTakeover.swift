import FeedCore
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// An outbound event: the connection belongs to a stream from now on, which watches it with its own timer.
struct StreamOpened: Sendable {}

/// The task of a connection ends with this error when a stream takes the connection over.
struct StreamTakenOver: Error {}

/// Takes a connection over from its task once the head of the response has been written, and gives it to the handler of
/// the stream, which it adds before itself. It also ends the stream with the connection, whichever protocol it has.
///
/// The connection is no longer affected by what the task still writes, or by the task closing the channel at its end.
final class StreamTakeover: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let outlet: StreamOutlet
    private let status: HTTPResponse.Status
    private let begin: (StreamTakeover, ChannelHandlerContext) throws -> Void
    private var isTaken = false

    /// - Parameters:
    ///   - status: The status of a response that begins the stream. With any other status, there is no stream.
    ///   - begin: Adds the handler of the stream before this one.
    init(
        _ outlet: StreamOutlet, status: HTTPResponse.Status,
        begin: @escaping (StreamTakeover, ChannelHandlerContext) throws -> Void
    ) {
        self.outlet = outlet
        self.status = status
        self.begin = begin
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isTaken else {
            promise?.succeed()
            return
        }
        guard case .head(let head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        context.write(data, promise: promise)
        guard head.status == status else { return leave(context) }
        isTaken = true
        context.flush()
        do { try begin(self, context) } catch { context.close(promise: nil) }
    }

    /// The response is not a stream.
    private func leave(_ context: ChannelHandlerContext) {
        outlet.close()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if isTaken { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        outlet.close()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard isTaken else { return context.fireUserInboundEventTriggered(event) }
        if case .inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
        if event is ChannelShouldQuiesceEvent { outlet.finish(.shutdown) }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { outlet.close() }
}
