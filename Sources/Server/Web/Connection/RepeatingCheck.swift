import NIOCore

/// Checks a connection or stream every second, from when its handler is added until it is removed.
struct RepeatingCheck {
    private static let interval = TimeAmount.seconds(1)

    private var task: RepeatedTask?

    /// Must be called on the event loop of the context. The handler lives until ``stop()`` is called.
    mutating func start(_ context: ChannelHandlerContext, _ check: @escaping (ChannelHandlerContext) -> Void) {
        let bound = NIOLoopBound((context, check), eventLoop: context.eventLoop)
        task = context.eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
            let (context, check) = bound.value
            check(context)
        }
    }

    mutating func stop() {
        task?.cancel()
        task = nil
    }
}

extension NIODeadline {
    /// The monotonic time in milliseconds, for the timers of connections.
    var milliseconds: Int64 { Int64(uptimeNanoseconds / 1_000_000) }
}

/// The bytes of a TCP connection that the client has acknowledged.
///
/// Bytes that leave the server's buffer are only in the kernel, which buffers up to megabytes and accepts more in large
/// steps, so a slow reader would look stalled.
enum AcknowledgedBytes {
    /// The beginning of the kernel's `struct tcp_info`, up to `tcpi_bytes_acked` (Linux 4.1 and newer). Glibc's
    /// declaration ends earlier.
    private struct Info: Sendable {
        typealias Eight = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
        typealias Seven = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
        var others: (Eight, Seven)
        var acknowledged: UInt64
    }

    /// - Returns: `nil` if the connection is not TCP, or if nothing has been acknowledged.
    static func count(on channel: any Channel) -> Int64? {
        guard let provider = channel as? any SocketOptionProvider else { return nil }
        let info: EventLoopFuture<Info> = provider.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        var acknowledged: UInt64 = 0
        // On the event loop of the channel, the future is already complete.
        info.assumeIsolated().whenSuccess { acknowledged = $0.acknowledged }
        return acknowledged > 0 ? Int64(clamping: acknowledged) : nil
    }
}
