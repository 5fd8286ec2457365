import FeedCore
import Foundation
package import Logging
package import NIOCore

/// Pauses accepting connections while there are no file descriptors or no memory for them.
///
/// SwiftNIO's own `AcceptBackoffHandler` only delays the next read. After a failed `accept`, the listening socket stays
/// registered with the selector, which reports it again at once: the event loop would use a whole core until
/// descriptors are released.
package final class AcceptPause: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = Channel

    private static let time = TimeAmount.milliseconds(200)
    private static let causes: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let logger: Logger
    private var lines = LogInterval()
    private var isPaused = false

    private init(logger: Logger) { self.logger = logger }

    /// Adds the handler to a listening socket.
    package static func install(on channel: any Channel, logger: Logger) async throws {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptPause(logger: logger), position: .first)
        }.get()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let failure = error as? IOError, Self.causes.contains(failure.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        report(failure)
        guard !isPaused else { return }
        isPaused = true
        Self.setAutoRead(context, false)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.time) {
            let (handler, context) = bound.value
            handler.isPaused = false
            Self.setAutoRead(context, true)
        }
    }

    /// Fails only if the channel has been closed.
    private static func setAutoRead(_ context: ChannelHandlerContext, _ isOn: Bool) {
        try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }

    private func report(_ failure: IOError) {
        let now = NIODeadline.now().milliseconds
        guard lines.take(now: now) != nil else { return }
        logger.error(
            "cannot accept connections; trying again",
            metadata: ["error": "\(String(cString: strerror(failure.errnoCode)))"])
    }
}
