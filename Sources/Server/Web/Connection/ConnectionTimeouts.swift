import FeedCore
import NIOCore

/// The timeouts of a connection, which decide when it is closed: slow headers, a slow body, idleness, or a client that
/// does not read the response fast enough. Also counts the requests. Times are milliseconds of a monotonic clock.
struct ConnectionTimeouts {
    private let limits: ConnectionLimits
    private var inFlight = 0
    private var headSince: Int64
    private var isFirstHead = true
    private var isReadingBody = false
    private var windowSince: Int64 = 0
    private var windowBytes = 0
    private var drainingSince: Int64?
    private var drained = 0
    private var requests = 0
    private var buffered = 0
    /// The bytes that have left the buffer, judged by its size at each tick.
    private var sent: Int64 = 0
    /// The beginning of the interval in which the reader is measured, and the bytes that it had taken then.
    private var reading: (since: Int64, from: Int64)?

    init(limits: ConnectionLimits, now: Int64) {
        self.limits = limits
        headSince = now
    }

    /// Whether a response is outstanding.
    var isBusy: Bool { inFlight > 0 }

    /// Whether part of a request body has not arrived yet.
    var hasBodyLeft: Bool { isReadingBody }

    /// Whether incoming bytes are discarded.
    var isDraining: Bool { drainingSince != nil }

    /// Whether no further request is accepted.
    var isExhausted: Bool { requests >= limits.requests }

    /// Whether the next response is the last one.
    var isLastResponse: Bool { isExhausted && inFlight == 1 }

    mutating func receivedHead(now: Int64) {
        requests += 1
        inFlight += 1
        isFirstHead = false
        isReadingBody = true
        windowSince = now
        windowBytes = 0
    }

    /// - Returns: Whether the connection must close because the client sends too much after the response.
    mutating func receivedBody(bytes: Int) -> Bool {
        windowBytes += bytes
        guard drainingSince != nil else { return false }
        drained += bytes
        return drained > limits.drainBytes
    }

    mutating func receivedEnd() {
        isReadingBody = false
        drainingSince = nil
    }

    mutating func sentEnd(now: Int64) {
        inFlight = max(0, inFlight - 1)
        headSince = now
        guard isReadingBody, inFlight == 0 else { return }
        drainingSince = now
        drained = 0
    }

    /// - Parameters:
    ///   - buffered: Bytes written that the kernel has not taken.
    ///   - acknowledged: Bytes that the client has acknowledged, if the kernel knows.
    ///   - isWaiting: Whether the server is ready to read; otherwise a slow body is not the client's fault.
    /// - Returns: Whether the connection must close.
    mutating func tick(now: Int64, buffered: Int, acknowledged: Int64? = nil, isWaiting: Bool) -> Bool {
        // While a response waits for its reader, the connection is not idle.
        if buffered > 0, !isFirstHead { headSince = max(headSince, now) }
        return readerIsSlow(now: now, buffered: buffered, acknowledged: acknowledged) || headIsLate(now: now)
            || bodyIsSlow(now: now, isWaiting: isWaiting)
            || drainIsLong(now: now)
    }

    private mutating func readerIsSlow(now: Int64, buffered: Int, acknowledged: Int64?) -> Bool {
        sent += Int64(max(0, self.buffered - buffered))
        self.buffered = buffered
        guard buffered > 0 else {
            reading = nil
            return false
        }
        let taken = acknowledged ?? sent
        guard let start = reading else {
            reading = (now, taken)
            return false
        }
        guard now - start.since >= limits.readWindow else { return false }
        reading = (now, taken)
        return taken - start.from < limits.readBytes
    }

    private func headIsLate(now: Int64) -> Bool {
        inFlight == 0 && !isReadingBody && now - headSince >= (isFirstHead ? limits.firstHead : limits.nextHead)
    }

    private mutating func bodyIsSlow(now: Int64, isWaiting: Bool) -> Bool {
        guard isReadingBody else { return false }
        guard isWaiting else {
            windowSince = now
            windowBytes = 0
            return false
        }
        guard now - windowSince >= limits.bodyWindow else { return false }
        defer {
            windowSince = now
            windowBytes = 0
        }
        return windowBytes < limits.bodyBytes
    }

    private func drainIsLong(now: Int64) -> Bool {
        drainingSince.map { now - $0 >= limits.drain } ?? false
    }
}

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

extension Channel {
    /// Bytes written that the kernel has not taken. Must be called on the event loop.
    var bufferedBytes: Int { (try? syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0 }
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
