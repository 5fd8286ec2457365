import FeedCore

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

    /// What follows the name of the metric, such as `_bucket`.
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
