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

    mutating func report(written: Int64, _ fetch: FetchState, now: Double) -> DownloadProgress {
        progress.done = written
        progress.total = fetch.file.size
        progress.rate = meter.rate
        progress.connections = fetch.connectionCount
        progress.retries = fetch.retries
        progress.wait = fetch.wait(now: now)
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
