import CoreMetrics
import FeedAPI
import FeedCore
import NIOCore

/// Tells the client of a refused connection why, and closes it.
///
/// The response is sent when the first bytes of a request arrive, because some clients take an earlier one for an error
/// of the protocol. Then further input is discarded until the client has read the response: closing a connection with
/// unread bytes would reset it.
final class ConnectionRefusal: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes that are discarded after the response.
    private static let maximumDrain = 64 * 1024

    private let response: ByteBuffer?
    private let time: TimeAmount
    private var isAnswered = false
    private var drained = 0
    private var timeout: Scheduled<Void>?

    /// - Parameter reason: `nil` closes the connection at once.
    convenience init(_ reason: ConnectionCounter.Reason?, limits: ConnectionLimits) {
        self.init(response: reason.map(Self.response), limits: limits)
    }

    /// - Parameter response: `nil` closes the connection at once.
    private init(response: ByteBuffer?, limits: ConnectionLimits) {
        self.response = response
        time = .milliseconds(limits.refusalTime)
    }

    /// For a connection that is open, and on which plain HTTP has arrived instead of TLS.
    static func plainHTTP(limits: ConnectionLimits) -> ConnectionRefusal {
        let response = Self.response(
            status: "400 Bad Request", "This port of the server accepts HTTPS only",
            hint: "Use an address that begins with https://.")
        return ConnectionRefusal(response: response, limits: limits)
    }

    private static func response(_ reason: ConnectionCounter.Reason) -> ByteBuffer {
        let (message, hint) =
            switch reason {
            case .total: ("The server is busy", "Try again in a few seconds.")
            case .address: ("Too many connections from one address", "Close some of them, or try again later.")
            }
        return Self.response(status: "503 Service Unavailable", message, hint: hint, fields: ["Retry-After: 5"])
    }

    private static func response(
        status: String, _ message: String, hint: String, fields: [String] = []
    ) -> ByteBuffer {
        var json = JSONWriter(capacity: 128)
        json.object {
            $0.field("error", message)
            $0.field("error_description", hint)
        }
        let lines =
            [
                "HTTP/1.1 \(status)", "Content-Type: application/json; charset=utf-8",
                "Content-Length: \(json.bytes.count)", "Cache-Control: no-store", "Connection: close",
            ] + fields
        var buffer = ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
        buffer.writeBytes(json.bytes)
        return buffer
    }

    func channelActive(context: ChannelHandlerContext) {
        guard response != nil else { return context.close(promise: nil) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timeout = context.eventLoop.scheduleTask(in: time) {
            let (handler, context) = bound.value
            handler.expire(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeout?.cancel()
        timeout = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        drained += unwrapInboundIn(data).readableBytes
        if drained > Self.maximumDrain { return context.close(promise: nil) }
        answer(context, closing: .output)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
        if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func expire(_ context: ChannelHandlerContext) {
        timeout = nil
        if isAnswered { context.close(promise: nil) } else { answer(context, closing: .all) }
    }

    private func answer(_ context: ChannelHandlerContext, closing mode: CloseMode) {
        guard !isAnswered, let response else { return }
        isAnswered = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.close(mode: mode, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(response), promise: written)
    }
}
