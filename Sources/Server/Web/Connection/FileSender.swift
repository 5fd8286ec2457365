import NIOCore
import NIOHTTP1

/// Sent down a connection: a stretch of a file that goes to the socket without passing through our memory.
struct SendFile: Sendable {
    let region: FileRegion
}

/// Stands below the codec that knows only buffers, and writes what ``SendFile`` asks for as a part of the body: the kernel
/// copies it (sendfile), and takes more when the other side has taken what was sent.
final class FileSender: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let file = event as? SendFile else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.writeAndFlush(wrapOutboundOut(.body(.fileRegion(file.region))), promise: promise)
    }
}
