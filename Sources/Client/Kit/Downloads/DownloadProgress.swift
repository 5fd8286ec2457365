/// The progress of a download.
public struct DownloadProgress: Sendable {
    /// The number of downloaded bytes, including those of an earlier, interrupted download.
    public internal(set) var done: Int64 = 0
    /// The size of the file in bytes, once it is known.
    public internal(set) var total: Int64?
    /// The number of bytes from an earlier, interrupted download.
    public internal(set) var base: Int64 = 0
    /// The rate over the last seconds in bytes per second; `nil` at first.
    public internal(set) var rate: Double?
    /// The number of open connections.
    public internal(set) var connections = 0
    /// The number of retries so far.
    public internal(set) var retries = 0
    /// The time in seconds until the next attempt, if no connection is open.
    public internal(set) var wait: Double?
    /// Messages for the user, in the order in which they occurred; at most 20.
    public internal(set) var notices: [String] = []

    static let maximumNotices = 20

    mutating func notice(_ text: String) {
        if notices.count < Self.maximumNotices, notices.last != text { notices.append(text) }
    }
}

/// The progress of several downloads as one.
///
/// ```swift
/// var totals = DownloadTotals(count: 2)
/// totals.update(first.id, progress)
/// totals.end(first.id, size: result.size)
/// ```
public struct DownloadTotals: Sendable {
    private struct Part {
        var progress = DownloadProgress()
        var hasEnded = false
    }

    /// The number of downloads.
    public let count: Int
    private var parts: [Int: Part] = [:]

    public init(count: Int) { self.count = count }

    /// The number of downloads that have ended, whether they have succeeded or failed.
    public var ended: Int { parts.values.count { $0.hasEnded } }

    /// Takes the progress of a download into account.
    public mutating func update(_ id: Int, _ progress: DownloadProgress) {
        guard parts[id]?.hasEnded != true else { return }
        parts[id] = Part(progress: progress)
    }

    /// The download has ended.
    /// - Parameter size: The size of the file in bytes; `nil` after a failure, whose missing bytes no longer count.
    public mutating func end(_ id: Int, size: Int64?) {
        var part = parts[id] ?? Part()
        if let size { part.progress.done = size }
        part.progress.total = part.progress.done
        (part.progress.rate, part.progress.connections, part.progress.wait) = (nil, 0, nil)
        part.hasEnded = true
        parts[id] = part
    }

    /// The sums. The total is known when that of every download is; waits and notices are those of the single downloads.
    public var progress: DownloadProgress {
        var sum = DownloadProgress()
        let all = parts.values.map(\.progress)
        sum.done = all.reduce(0) { $0.addingSaturating($1.done) }
        sum.base = all.reduce(0) { $0.addingSaturating($1.base) }
        let totals = all.compactMap(\.total)
        if totals.count == count { sum.total = totals.reduce(0) { $0.addingSaturating($1) } }
        let rates = all.compactMap(\.rate)
        if !rates.isEmpty { sum.rate = rates.reduce(0, +) }
        sum.connections = all.reduce(0) { $0 + $1.connections }
        sum.retries = all.reduce(0) { $0 + $1.retries }
        return sum
    }
}

/// Determines what progress is reported to the caller, and when.
struct ProgressTracker: Sendable {
    /// The interval in seconds between two measurements, and between two reports.
    private static let measurementInterval = 0.25
    private static let reportInterval = 0.1

    private var progress = DownloadProgress()
    private var meter = RateMeter()
    private var lastMeasurement: Double
    private var lastReport = 0.0

    init(now: Double) { lastMeasurement = now }

    /// The number of bytes reused from an earlier download.
    var resumedFrom: Int64 { progress.base }

    mutating func resume(at bytes: Int64) { progress.base = bytes }

    /// Adds a message for the user.
    mutating func notice(_ text: String) { progress.notice(text) }

    /// - Returns: The seconds since the last measurement, if it is time for another.
    mutating func measurementIsDue(now: Double) -> Double? {
        let seconds = now - lastMeasurement
        guard seconds >= Self.measurementInterval else { return nil }
        lastMeasurement = now
        return seconds
    }

    mutating func measure(written: Int64, now: Double) { meter.observe(now: now, bytes: written) }

    mutating func reportIsDue(now: Double) -> Bool {
        guard now - lastReport >= Self.reportInterval else { return false }
        lastReport = now
        return true
    }

    mutating func report(written: Int64, _ network: DownloadNetwork, now: Double) -> DownloadProgress {
        progress.done = written
        progress.total = network.file.size
        progress.rate = meter.rate
        progress.connections = network.connectionCount
        progress.retries = network.retries
        progress.wait = network.wait(now: now)
        return progress
    }
}

/// The rate over the last seconds, in bytes per second.
struct RateMeter: Sendable {
    private static let window = 5.0
    /// The minimum time in seconds between samples. An earlier sample is replaced, which bounds the number of samples.
    private static let minimumInterval = 0.25

    private var samples: [(time: Double, bytes: Int64)] = []

    mutating func observe(now: Double, bytes: Int64) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if samples.count > 1, now - samples[samples.count - 2].time < Self.minimumInterval { samples.removeLast() }
        samples.append((now, bytes))
        samples.removeAll { now - $0.time > Self.window }
    }

    /// The rate; `nil` until there are enough samples.
    var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.minimumInterval else {
            return nil
        }
        return Double(last.bytes - first.bytes) / (last.time - first.time)
    }
}
