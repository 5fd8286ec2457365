import Foundation
import NIOCore
import NIOHTTP1

/// An outbound event that sends a region of a file without copying it through user space.
struct SendFile: Sendable {
    let region: FileRegion
}

/// An outbound event, triggered every second, that checks whether the file being sent has been truncated.
struct CheckSentFile: Sendable {}

/// Writes the file region of ``SendFile`` as part of the response body, below the codec, which supports only buffers.
/// The kernel copies it (`sendfile`) as fast as the client reads.
final class FileSender: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var current: FileRegion?

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case let file as SendFile: send(file.region, context, promise)
        case is CheckSentFile:
            if isTruncated { context.close(promise: nil) }
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

    /// Whether the file became shorter: `sendfile` then reports success with 0 bytes and would be retried forever.
    private var isTruncated: Bool {
        guard let current else { return false }
        var status = stat()
        let code = try? current.fileHandle.withUnsafeFileDescriptor { fstat($0, &status) }
        return code != 0 || Int(status.st_size) < current.endIndex
    }
}
