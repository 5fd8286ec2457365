package import FeedCore
import HTTPTypes

/// The access log: one line per request, as text or JSON.
package struct AccessLog: Sendable {
    package enum Format: String, CaseIterable, Sendable { case text, json }

    let clock: WallClock
    private let format: Format
    private let write: @Sendable (AccessLogEntry, Format) -> Void

    /// - Parameter write: Takes an entry, which is better formatted later than on the event loop.
    package init(format: Format, clock: WallClock, write: @escaping @Sendable (AccessLogEntry, Format) -> Void) {
        self.format = format
        self.clock = clock
        self.write = write
    }

    func record(_ entry: AccessLogEntry) { write(entry.bounded, format) }
}

/// Records requests in the access log and the metrics once their response is known.
struct RequestRecorder: Sendable {
    private let accessLog: AccessLog?
    private let metrics: RequestMetrics?

    init(_ monitoring: Monitoring) {
        accessLog = monitoring.accessLog
        metrics = monitoring.metrics?.requests
    }

    /// The metrics of requests of a kind; `nil` if there are none.
    func series(route: String?, method: HTTPRequest.Method, status: Int) -> RequestMetrics.Series? {
        metrics?.series(route: route, method: method, status: status)
    }

    /// Writes a line to the access log, if there is one.
    /// - Parameter entry: Makes the line from the current time in milliseconds since 1970.
    func log(_ entry: (Int64) -> AccessLogEntry) {
        if let accessLog { accessLog.record(entry(accessLog.clock.now())) }
    }
}
