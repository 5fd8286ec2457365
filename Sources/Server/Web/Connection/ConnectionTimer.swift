/// Decides when to close a connection: slow headers, a slow body, idleness, or a client that does not read the
/// response. Pure; times are milliseconds of a monotonic clock.
struct ConnectionTimer {
    /// Milliseconds, except `bodyBytes` and `drainBytes`, which are bytes.
    struct Limits: Sendable {
        /// From the start of the connection to the end of the TLS handshake.
        var handshake: Int64 = 10_000
        /// From the start of the connection to the end of the first request's headers.
        var firstHead: Int64 = 20_000
        /// From the end of a response to the end of the next request's headers.
        var nextHead: Int64 = 75_000
        /// The interval over which the rate of a request body is measured.
        var bodyWindow: Int64 = 30_000
        /// The bytes that must arrive in each `bodyWindow`.
        var bodyBytes = 4096
        /// The maximum time for which a client may leave a response unread.
        var write: Int64 = 60_000
        /// The maximum time for which the rest of a request body is drained after the response.
        var drain: Int64 = 5000
        /// The maximum number of bytes of a request body that are drained after the response.
        var drainBytes = 16 << 20
    }

    private let limits: Limits
    private var inFlight = 0
    private var headSince: Int64
    private var isFirstHead = true
    private var isReadingBody = false
    private var windowSince: Int64 = 0
    private var windowBytes = 0
    private var drainingSince: Int64?
    private var drained = 0
    private var buffered = 0
    private var bufferedSince: Int64

    init(limits: Limits, now: Int64) {
        self.limits = limits
        headSince = now
        bufferedSince = now
    }

    /// Whether a response is outstanding.
    var isBusy: Bool { inFlight > 0 }

    /// Whether part of a request body has not arrived yet.
    var hasBodyLeft: Bool { isReadingBody }

    /// Whether incoming bytes are discarded.
    var isDraining: Bool { drainingSince != nil }

    mutating func receivedHead(now: Int64) {
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
    ///   - buffered: Bytes written that the client has not read.
    ///   - isWaiting: Whether the server is ready to read; otherwise a slow body is not the client's fault.
    /// - Returns: Whether the connection must close.
    mutating func tick(now: Int64, buffered: Int, isWaiting: Bool) -> Bool {
        writeIsStalled(now: now, buffered: buffered) || headIsLate(now: now)
            || bodyIsSlow(now: now, isWaiting: isWaiting)
            || drainIsLong(now: now)
    }

    private mutating func writeIsStalled(now: Int64, buffered: Int) -> Bool {
        if buffered == 0 || buffered != self.buffered {
            self.buffered = buffered
            bufferedSince = now
        }
        return now - bufferedSince >= limits.write
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
