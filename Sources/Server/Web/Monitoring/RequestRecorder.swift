import FeedCore
import HTTPTypes

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
