import FeedAPI
package import FeedCore
import HTTPTypes

/// Access log, metrics and readiness.
package struct Monitoring: Sendable {
    /// `nil` without an access log.
    package var accessLog: AccessLog?
    /// `nil` if `/metrics` is not available.
    package var metrics: MetricsExport?
    package var readiness = Readiness(clock: WallClock { 0 })

    package init() {}
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

/// `/ready`: whether the server can store data, for load balancers and monitoring.
struct ReadyController: Sendable {
    let readiness: Readiness

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.ready, .open) { [readiness] _, _ in
            guard let problem = await readiness.problem() else {
                return Response(text: "OK", headers: [.cacheControl: "no-store"])
            }
            return Problem(
                status: .serviceUnavailable, message: problem.message, hint: problem.hint, headers: [.retryAfter: "5"]
            ).response
        }
    }
}
