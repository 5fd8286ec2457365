import FeedCore

/// Decides when to close a connection: slow headers, a slow body, idleness, or a client that does not read the response
/// fast enough. Also counts the requests. Times are milliseconds of a monotonic clock.
struct ConnectionTimer {
    typealias Limits = ConnectionLimits

    private let limits: Limits
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

    init(limits: Limits, now: Int64) {
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
