import FeedAPI
import NIOCore
import NIOHTTP1

/// Rejects request heads that violate ``RequestHeadRules``, and ends HTTP/1.0 responses, which cannot be chunked, by
/// closing the connection (RFC 9112 §9.3). It sits below the codec, which drops the version and duplicate Host fields.
final class HTTPVersionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Bytes that are drained after a rejection, so that the client can read the response.
    private static let maximumDrain = 1 << 20

    private var isOld = false
    private var isRefused = false
    private var drained = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if isRefused { return drain(part, context) }
        guard case .head(var head) = part else { return context.fireChannelRead(data) }
        isOld = head.version.isOld
        // RFC 9110 §7.8.
        if isOld { head.headers.remove(name: "Upgrade") }
        do {
            try RequestHeadRules.check(&head)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        } catch {
            refuse(error, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isRefused { context.read() } else { context.fireChannelReadComplete() }
    }

    private func refuse(_ refusal: RequestHeadRules.Refusal, _ context: ChannelHandlerContext) {
        isRefused = true
        var json = JSONWriter(capacity: 128)
        json.object { $0.field("error", refusal.message) }
        let headers: HTTPHeaders = [
            "Connection": "close", "Content-Type": "application/json; charset=utf-8",
            "Content-Length": String(json.bytes.count),
        ]
        let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(.init(bytes: json.bytes)))), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        // Closes only the output: closing both directions would discard what the client has not read yet.
        written.futureResult.whenComplete { _ in bound.value.close(mode: .output, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    private func drain(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        if case .body(let bytes) = part { drained += bytes.readableBytes }
        if drained > Self.maximumDrain { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isRefused, case .inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes once everything is written: closing earlier would discard pending bytes.
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
