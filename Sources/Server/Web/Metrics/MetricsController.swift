import FeedAPI
package import FeedCore
import HTTPTypes
import Hummingbird

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

    func addEndpoints(to endpoints: Endpoints) { endpoints.get(Paths.metrics, .open, use: show) }

    @Sendable func show(_ request: Request, _ context: FeedContext) throws -> Response {
        let isForwarded = Self.forwardingFields.contains { request.headers.contains($0) }
        guard metrics.access.allows(peer: context.peer.flatMap { IPAddress($0) }, isForwarded: isForwarded) else {
            throw FeedError(
                .forbidden, "The metrics are not public",
                hint: "They are available on the server's machine, without a proxy, and to --metrics-allow.")
        }
        metrics.sample()
        let text = PrometheusText.text(metrics.registry.families())
        return Response(
            status: .ok, headers: [.contentType: PrometheusText.contentType, .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(string: text)))
    }
}
