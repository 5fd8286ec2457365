/// Decides when a connection has to go: too slow with its headers or its body, idle, or not taking what it asked for.
/// Pure; times are milliseconds of any steady clock.
struct ConnectionTimer {
    /// All in milliseconds, but for `bodyBytes`.
    struct Limits: Sendable {
        /// From the connection's start until its first request's headers are complete.
        var firstHead: Int64 = 20_000
        /// From the end of an answer until the next request's headers are complete.
        var nextHead: Int64 = 75_000
        /// In each such stretch of a body …
        var bodyWindow: Int64 = 30_000
        /// … at least so many bytes must come.
        var bodyBytes = 4096
        /// A reader who takes nothing for so long is dropped.
        var write: Int64 = 60_000
        /// What is left of a body after the answer is read away for so long …
        var drain: Int64 = 5000
        /// … and up to so many bytes.
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

    /// Whether a request is being answered.
    var isBusy: Bool { inFlight > 0 }

    /// Whether a request's body has not come to its end.
    var hasBodyLeft: Bool { isReadingBody }

    /// Whether bytes that come are only read away.
    var isDraining: Bool { drainingSince != nil }

    mutating func receivedHead(now: Int64) {
        inFlight += 1
        isFirstHead = false
        isReadingBody = true
        windowSince = now
        windowBytes = 0
    }

    /// - Returns: Whether the connection must close, since too much is being sent after the answer.
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
    ///   - buffered: Bytes written that the other side has not taken.
    ///   - isWaiting: Whether we are ready to read: only then is a slow body the sender's fault.
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
