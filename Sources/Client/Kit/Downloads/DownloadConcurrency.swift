/// The number of connections to one host. It doubles as long as that increases the rate by 15 %, and starts at the
/// maximum if the latency is high.
struct DownloadConcurrency: Sendable {
    static let maximum = 8
    /// The period in seconds over which a rate is measured.
    private static let window = 1.0
    /// The factor by which more connections must increase the rate.
    private static let minimumGain = 1.15
    /// The latency in seconds of the first response that counts as high.
    static let highLatency = 0.04
    /// The time in seconds before the next attempt after one without gain; doubled each time, up to the maximum.
    private static let initialPause = 10.0
    private static let maximumPause = 60.0
    /// The time in seconds before the next attempt after the server asked for fewer requests.
    private static let throttledPause = 30.0

    /// The number of allowed connections.
    private(set) var value = 1
    /// The last number that was worthwhile, and its rate in bytes per second.
    private var proven = 1
    private var provenRate: Double?
    private var pausedUntil = 0.0
    private var pause = initialPause
    private var windowStart: (time: Double, bytes: Int64)?

    /// - Parameters:
    ///   - now: Seconds on any monotonic clock.
    ///   - bytes: The total number of bytes received from the host.
    ///   - active: The number of connections that are receiving data.
    mutating func observe(now: Double, bytes: Int64, active: Int) {
        guard now >= pausedUntil, active >= value else {
            windowStart = nil
            return
        }
        guard let start = windowStart else {
            windowStart = (now, bytes)
            return
        }
        guard now - start.time >= Self.window else { return }
        windowStart = nil
        judge(rate: Double(bytes - start.bytes) / (now - start.time), now)
    }

    /// Records the first response of a connection. With a high latency, each connection takes long to reach its full
    /// rate (TCP slow start), and trying one number after the other would take longer than most files.
    /// - Parameter seconds: The time since the connection was opened.
    mutating func responded(after seconds: Double) {
        guard seconds >= Self.highLatency, provenRate == nil, pausedUntil == 0 else { return }
        value = Self.maximum
    }

    /// Records that the server asked for fewer requests.
    mutating func throttle(now: Double) {
        value = max(1, value / 2)
        proven = value
        (provenRate, windowStart) = (nil, nil)
        pausedUntil = max(pausedUntil, now + Self.throttledPause)
    }

    private mutating func judge(rate: Double, _ now: Double) {
        if let provenRate, value > proven, rate < provenRate * Self.minimumGain {
            value = proven
            self.provenRate = nil
            pausedUntil = now + pause
            pause = min(Self.maximumPause, pause * 2)
            return
        }
        provenRate = rate
        proven = value
        value = min(Self.maximum, value * 2)
        if value == proven { pausedUntil = now + pause }
    }
}
