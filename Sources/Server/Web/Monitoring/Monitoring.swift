package import FeedCore

/// Access log, metrics and readiness.
package struct Monitoring: Sendable {
    /// `nil` without an access log.
    package var accessLog: AccessLog?
    /// `nil` if `/metrics` is not available.
    package var metrics: MetricsExport?
    package var readiness = Readiness(clock: WallClock { 0 })

    package init() {}
}
