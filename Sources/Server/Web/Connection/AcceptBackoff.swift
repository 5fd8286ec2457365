import FeedCore
import Foundation
package import Logging
package import NIOCore

/// Pauses accepting connections when file descriptors or memory run out, and reports a listening socket that fails.
///
/// SwiftNIO's own `AcceptBackoffHandler` only delays the next read. After a failed `accept`, the listening socket stays
/// registered with the selector, which reports it again at once: the event loop would use a whole core until
/// descriptors are released.
package final class AcceptBackoff: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = Channel
    package typealias OutboundIn = Never

    private static let time = TimeAmount.milliseconds(200)
    /// The connections accepted before the descriptors are checked again; SwiftNIO's default is 16.
    private static let batch: UInt = 4
    private static let causes: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let logger: Logger
    private let onLoss: @Sendable (IOError) -> Void
    private var lines = LogInterval()
    private var isPaused = false
    private var isRemoved = false

    init(logger: Logger, onLoss: @escaping @Sendable (IOError) -> Void) {
        self.logger = logger
        self.onLoss = onLoss
    }

    /// Adds the handler to a listening socket.
    /// - Parameter onLoss: Called when the socket fails and SwiftNIO closes it, which nobody else notices while
    ///   connections are open.
    package static func install(
        on channel: any Channel, logger: Logger, onLoss: @escaping @Sendable (IOError) -> Void = { _ in }
    ) async throws {
        try await channel.eventLoop.submit {
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: batch)
            let handler = AcceptBackoff(logger: logger, onLoss: onLoss)
            try channel.pipeline.syncOperations.addHandler(handler, position: .first)
        }.get()
    }

    /// The channel has been closed.
    package func handlerRemoved(context: ChannelHandlerContext) { isRemoved = true }

    package func read(context: ChannelHandlerContext) {
        // The end of the pause reads again.
        guard !isPaused else { return }
        guard DescriptorReserve.isNeeded else { return context.read() }
        pause(context, EMFILE)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let failure = error as? IOError else { return context.fireErrorCaught(error) }
        if Self.causes.contains(failure.errnoCode) {
            // SwiftNIO does not report the end of this read, and the connections accepted before the error would wait
            // for it.
            context.fireChannelReadComplete()
            pause(context, failure.errnoCode)
        } else if failure.errnoCode != ECONNABORTED {
            // Only that one connection would have failed. SwiftNIO closes the socket after all other errors.
            onLoss(failure)
            context.fireErrorCaught(error)
        }
    }

    private func pause(_ context: ChannelHandlerContext, _ code: Int32) {
        report(code)
        guard !isPaused else { return }
        isPaused = true
        Self.setAutoRead(context, false)
        scheduleEnd(context)
    }

    private func scheduleEnd(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.time) {
            let (handler, context) = bound.value
            handler.endPause(context)
        }
    }

    private func endPause(_ context: ChannelHandlerContext) {
        guard !isRemoved else { return }
        // Turning `autoRead` on accepts connections without a call of `read`.
        guard !DescriptorReserve.isNeeded else { return scheduleEnd(context) }
        isPaused = false
        Self.setAutoRead(context, true)
    }

    /// Fails only if the channel has been closed.
    private static func setAutoRead(_ context: ChannelHandlerContext, _ isOn: Bool) {
        try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }

    private func report(_ code: Int32) {
        guard lines.take(now: NIODeadline.now().milliseconds) != nil else { return }
        logger.error(
            "cannot accept connections; trying again", metadata: ["error": "\(String(cString: strerror(code)))"])
    }
}

/// The file descriptors that connections leave to the rest of the process.
enum DescriptorReserve {
    /// Enough for the database, for files being sent, and for libdispatch, which ends the process if it cannot open its
    /// own `/proc` entries.
    private static let count = 16

    /// Whether a new descriptor would be taken from the reserve.
    ///
    /// The kernel assigns the lowest free number, so a number close to the limit means that few others are free. The limit
    /// is read each time, since `prlimit` changes it from outside.
    static var isNeeded: Bool {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        close(descriptor)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        return Int(descriptor) >= Int(clamping: limit.rlim_cur) - count
    }
}
