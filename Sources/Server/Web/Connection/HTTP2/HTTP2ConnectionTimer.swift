import FeedCore

/// Decides when an HTTP/2 connection ends: after it has been idle for too long, after many requests, or when the server
/// shuts down. Times are milliseconds of a monotonic clock. Streams have limits of their own (``HTTP2StreamHandler``).
struct HTTP2ConnectionTimer {
    enum Action: Equatable {
        case none
        /// Announce that no further stream will be accepted (RFC 9113 §6.8).
        case goAway
        case close
    }

    private let limits: ConnectionTimer.Limits
    private var openStreams = 0
    private var requests = 0
    private var idleSince: Int64
    private var isFirst = true
    private var isEnding = false

    init(limits: ConnectionTimer.Limits, now: Int64) {
        self.limits = limits
        idleSince = now
    }

    mutating func opened() {
        openStreams += 1
        requests += 1
        isFirst = false
    }

    mutating func closed(now: Int64) {
        openStreams = max(0, openStreams - 1)
        idleSince = now
    }

    /// The server shuts down, the connection is idle, or it has carried its share of requests.
    mutating func end() -> Action {
        guard !isEnding else { return .none }
        isEnding = true
        return .goAway
    }

    /// Must be called regularly. The connection closes at the earliest one call after the announcement, when all streams
    /// have ended.
    mutating func tick(now: Int64) -> Action {
        if requests >= limits.requests, !isEnding { return end() }
        guard openStreams == 0 else { return .none }
        if isEnding { return .close }
        return now - idleSince >= (isFirst ? limits.firstHead : limits.nextHead) ? end() : .none
    }
}
