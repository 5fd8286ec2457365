/// Determines what progress is reported to the caller, and when. Pure.
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
