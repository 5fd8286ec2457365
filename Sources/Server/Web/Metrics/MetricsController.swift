import FeedAPI
package import FeedCore
import HTTPTypes

/// The metrics of a server, and who may read them.
package struct MetricsExport: Sendable {
    let registry: MetricRegistry
    let access: MetricsAccess
    let sample: @Sendable () -> Void
    let requests: RequestMetrics

    /// - Parameter sample: Sets the gauges whose values are only read on request.
    package init(registry: MetricRegistry, access: MetricsAccess, sample: @escaping @Sendable () -> Void) {
        self.registry = registry
        self.access = access
        self.sample = sample
        requests = RequestMetrics(factory: registry)
    }
}

/// `/metrics`, in the text format of Prometheus.
struct MetricsController: Sendable {
    private static let forwardingFields = MetricsAccess.forwardingFields.compactMap { HTTPField.Name($0) }

    let metrics: MetricsExport

    func addEndpoints(to endpoints: Endpoints) { endpoints.immediate(Paths.metrics, .open, show) }

    @Sendable func show(_ request: Request, _ context: FeedContext) throws -> Response {
        let isForwarded = Self.forwardingFields.contains { request.headers.contains($0) }
        guard metrics.access.allows(peer: context.connection.peer.flatMap { IPAddress($0) }, isForwarded: isForwarded)
        else {
            throw FeedError(
                .forbidden, "The metrics are not public",
                hint: "They are available on the server's machine, without a proxy, and to --metrics-allow.")
        }
        metrics.sample()
        let text = PrometheusText.text(metrics.registry.families())
        return Response(text: text, type: PrometheusText.contentType, headers: [.cacheControl: "no-store"])
    }
}
