package import CoreMetrics
package import FeedCore
import Synchronization

/// The backend of swift-metrics: keeps the metrics of ``MetricName`` and ignores all others.
package final class MetricRegistry: MetricsFactory {
    private enum Cell: Sendable {
        case counter(CounterCell)
        case gauge(GaugeCell)
        case histogram(HistogramCell)
    }

    private struct Series: Sendable {
        let labels: [MetricSample.Label]
        let cell: Cell
    }

    /// The maximum number of series per metric. All labels have few values; this is for the case of a mistake.
    private static let maximumSeries = 5000

    private let series = Mutex<[MetricName: [Series]]>([:])

    package init() {}

    /// The current values of all metrics that have any, in the order of ``MetricName``.
    func families() -> [MetricFamily] {
        let all = series.withLock { $0 }
        return MetricName.allCases.compactMap { name in
            all[name].map { MetricFamily(name: name, samples: $0.flatMap(Self.samples)) }
        }
    }

    /// The sum of all series of a counter or gauge.
    package func value(of name: MetricName) -> Double {
        let all = series.withLock { $0[name] ?? [] }
        return all.reduce(0) { sum, series in
            switch series.cell {
            case .counter(let cell): sum + Double(cell.value)
            case .gauge(let cell): sum + cell.value
            case .histogram: sum
            }
        }
    }

    private static func samples(_ series: Series) -> [MetricSample] {
        switch series.cell {
        case .counter(let cell): [MetricSample(labels: series.labels, value: Double(cell.value))]
        case .gauge(let cell): [MetricSample(labels: series.labels, value: cell.value)]
        case .histogram(let cell): MetricSample.histogram(cell.snapshot, bounds: cell.bounds, labels: series.labels)
        }
    }

    /// The cell of a series, which is created unless it exists; `nil` if the metric is unknown or of another kind.
    private func cell(_ label: String, _ dimensions: [(String, String)]) -> Cell? {
        guard let name = MetricName(rawValue: label) else { return nil }
        let labels = dimensions.map { MetricSample.Label(name: $0.0, value: $0.1) }
        return series.withLock { series in
            if let known = series[name]?.first(where: { $0.labels == labels }) { return known.cell }
            guard series[name, default: []].count < Self.maximumSeries else { return nil }
            let cell: Cell =
                switch name.kind {
                case .counter: .counter(CounterCell())
                case .gauge: .gauge(GaugeCell())
                case .histogram(let bounds): .histogram(HistogramCell(bounds: bounds))
                }
            series[name, default: []].append(Series(labels: labels, cell: cell))
            return cell
        }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        if case .counter(let cell) = cell(label, dimensions) { cell } else { NOOPMetricsHandler.instance }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        if case .gauge(let cell) = cell(label, dimensions) { cell } else { NOOPMetricsHandler.instance }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        switch cell(label, dimensions) {
        case .gauge(let cell) where !aggregate: cell
        case .histogram(let cell) where aggregate: cell
        default: NOOPMetricsHandler.instance
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        if case .histogram(let cell) = cell(label, dimensions) { cell } else { NOOPMetricsHandler.instance }
    }

    // Series are never removed: Prometheus would take a counter that begins again for a restart.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
