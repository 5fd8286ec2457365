import FeedAPI
package import FeedCore
import HTTPTypes

/// `/metrics`, in the text format of Prometheus.
struct MetricsController: Sendable {
    private static let forwardingFields = MetricsAccess.forwardingFields.compactMap { HTTPField.Name($0) }

    let metrics: MetricsExport

    func addEndpoints(to endpoints: Endpoints) { endpoints.immediate(Paths.metrics, .open, show) }

    @Sendable func show(_ request: Request, _ context: RequestContext) throws -> Response {
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

/// The clients that may read `/metrics`: this machine, and the networks of `--metrics-allow`, but never through a
/// proxy.
package struct MetricsAccess: Sendable {
    /// The fields by which a proxy reveals itself, in lowercase. A request that carries one is refused, because its
    /// connection comes from the proxy and not from the client.
    package static let forwardingFields = ["x-forwarded-for", "forwarded", "x-real-ip", "via"]

    private let allowed: [TrustedProxies.Source]

    /// - Parameter allowed: The networks of `--metrics-allow`.
    package init(_ allowed: [TrustedProxies.Source] = []) { self.allowed = allowed }

    /// - Parameters:
    ///   - peer: The IP address of the connection; `nil` for a Unix socket.
    ///   - isForwarded: Whether the request carries one of ``forwardingFields``.
    package func allows(peer: IPAddress?, isForwarded: Bool) -> Bool {
        guard !isForwarded else { return false }
        return peer?.isLoopback == true || TrustedProxies(allowed).isTrusted(peer)
    }
}

/// A metric with its current values.
struct MetricFamily: Sendable, Equatable {
    let name: MetricName
    var samples: [MetricSample]
}

/// A line of a metric.
struct MetricSample: Sendable, Equatable {
    struct Label: Sendable, Equatable {
        let name: String
        let value: String
    }

    /// The suffix of the metric's name, such as `_bucket`.
    var suffix = ""
    var labels: [Label] = []
    var value: Double

    /// The cumulative buckets, the sum and the number of values.
    static func histogram(
        _ snapshot: HistogramCell.Snapshot, bounds: [Double], labels: [Label]
    ) -> [MetricSample] {
        var total: Int64 = 0
        var samples: [MetricSample] = []
        for (bound, count) in zip(bounds + [.infinity], snapshot.counts) {
            total += count
            samples.append(
                MetricSample(
                    suffix: "_bucket", labels: labels + [Label(name: "le", value: PrometheusText.number(bound))],
                    value: Double(total)))
        }
        return samples + [
            MetricSample(suffix: "_sum", labels: labels, value: snapshot.sum),
            MetricSample(suffix: "_count", labels: labels, value: Double(total)),
        ]
    }
}

/// The text format of Prometheus, version 0.0.4.
enum PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func text(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families {
            let name = family.name.rawValue
            text += "# HELP \(name) \(escaped(family.name.help))\n# TYPE \(name) \(type(family.name.kind))\n"
            for sample in family.samples { text += name + line(sample) + "\n" }
        }
        return text
    }

    /// A number without a needless fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    private static func line(_ sample: MetricSample) -> String {
        let labels = sample.labels.map { label in
            "\(label.name)=\"" + escaped(label.value).replacing("\"", with: "\\\"") + "\""
        }
        let list = labels.isEmpty ? "" : "{" + labels.joined(separator: ",") + "}"
        return sample.suffix + list + " " + number(sample.value)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func type(_ kind: MetricName.Kind) -> String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
