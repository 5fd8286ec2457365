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
