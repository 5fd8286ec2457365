import Foundation
import NIOCore
import NIOHTTP1

/// Sent down a connection: a stretch of a file that goes to the socket without passing through our memory.
struct SendFile: Sendable {
    let region: FileRegion
}

/// Sent down a connection every second: looks whether the file that is being sent still has the bytes that were promised.
struct CheckSentFile: Sendable {}

/// Stands below the codec that knows only buffers, and writes what ``SendFile`` asks for as a part of the body: the kernel
/// copies it (sendfile), and takes more when the other side has taken what was sent.
final class FileSender: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var current: FileRegion?

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case let file as SendFile: send(file.region, context, promise)
        case is CheckSentFile:
            if isCutShort { context.close(promise: nil) }
            promise?.succeed()
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    private func send(_ region: FileRegion, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        current = region
        let sent = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        sent.futureResult.whenComplete { _ in bound.value.current = nil }
        context.writeAndFlush(wrapOutboundOut(.body(.fileRegion(region))), promise: sent)
    }

    /// At the end of a file sendfile reports success without a byte, and would be called again without end.
    private var isCutShort: Bool {
        guard let current else { return false }
        var status = stat()
        let code = try? current.fileHandle.withUnsafeFileDescriptor { fstat($0, &status) }
        return code != 0 || Int(status.st_size) < current.endIndex
    }
}
