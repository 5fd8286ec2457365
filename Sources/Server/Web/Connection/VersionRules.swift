import NIOCore
import NIOHTTP1

/// Stands below the codec, which drops the version and all but one Host: a client of HTTP/1.0 knows no chunks and waits for
/// the end of the connection (RFC 9112 §9.3), one of HTTP/1.1 must say exactly once which host it wants (§3.2).
final class VersionRules: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var isOld = false
    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefused { return }
        if case .head(let head) = unwrapInboundIn(data) {
            isOld = head.version == .http1_0 || head.version == .http0_9
            if !isOld, head.headers["Host"].count != 1 { return refuse(context) }
        }
        context.fireChannelRead(data)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        let headers: HTTPHeaders = ["Connection": "close", "Content-Length": "0"]
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        endAndClose(context, promise: nil)
    }

    /// Not closed before everything is taken: closing throws away what still waits.
    private func endAndClose(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let written = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOld else { return context.write(data, promise: promise) }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            head.version = .http1_0
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            endAndClose(context, promise: promise)
        }
    }
}
