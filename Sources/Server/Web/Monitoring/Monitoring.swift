import FeedAPI
package import FeedCore
import HTTPTypes

/// Access log, metrics and readiness, and what the operator's pages show of the server.
package struct Monitoring: Sendable {
    /// `nil` without an access log.
    package var accessLog: AccessLog?
    /// `nil` if `/metrics` is not available.
    package var metrics: MetricsExport?
    package var readiness = Readiness(clock: WallClock { 0 })
    package var failedLogins = FailedLogins()
    /// The settings in force, without secrets.
    package var settings: @Sendable () -> [EffectiveSetting] = { [] }
    /// The figures of `feedserver stats` about this server.
    package var load: @Sendable () async -> [(label: String, text: String)] = { [] }

    package init() {}
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
