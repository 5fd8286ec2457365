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
            if let existing = series[name]?.first(where: { $0.labels == labels }) { return existing.cell }
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

/// The value of a counter.
final class CounterCell: CounterHandler {
    private let total = Atomic<Int64>(0)

    var value: Int64 { total.load(ordering: .relaxed) }

    func increment(by amount: Int64) { total.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { total.store(0, ordering: .relaxed) }
}

/// The value of a gauge.
final class GaugeCell: MeterHandler, RecorderHandler {
    private let current = Mutex(0.0)

    var value: Double { current.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { current.withLock { $0 = value } }
    func increment(by amount: Double) { current.withLock { $0 += amount } }
    func decrement(by amount: Double) { current.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
}

/// The distribution of recorded values over fixed buckets. Durations are in seconds.
final class HistogramCell: RecorderHandler, TimerHandler {
    struct Snapshot: Sendable, Equatable {
        /// The number of values per bucket; the last one has no upper bound.
        var counts: [Int64]
        var sum = 0.0
    }

    let bounds: [Double]
    private let state: Mutex<Snapshot>

    var snapshot: Snapshot { state.withLock { $0 } }

    /// - Parameter bounds: The upper bounds of the buckets, ascending.
    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(Snapshot(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }

    /// A value that equals a bound belongs to its bucket.
    func record(_ value: Double) {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        state.withLock { state in
            state.counts[bucket] &+= 1
            state.sum += value
        }
    }
}

extension MetricName {
    enum Kind: Sendable, Equatable {
        case counter, gauge
        /// - Parameter bounds: The upper bounds of the buckets, ascending; a last bucket holds all larger values.
        case histogram(bounds: [Double])
    }

    var kind: Kind {
        switch self {
        case .requests, .cacheRequests, .abortedResponses, .failedLogins, .droppedLogLines, .droppedStreams:
            .counter
        case .requestDuration, .commitDuration, .commitSync: .histogram(bounds: Self.seconds)
        case .commitJobs: .histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
        default: .gauge
        }
    }

    /// From half a millisecond to ten seconds.
    private static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    var help: String {
        switch self {
        case .requests: "Requests by route, method and class of status."
        case .requestDuration: "Time from a request's head to its response's head, by group of routes."
        case .connections: "Open client connections."
        case .cacheRequests: "Lookups in a cache, by cache and result."
        case .abortedResponses: "Responses that could not be completed."
        case .commitJobs: "Writes per transaction."
        case .commitDuration: "Time of a transaction, including the wait for the write lock."
        case .commitSync: "Time of the commit at the end of a transaction, including the fsync."
        case .commitQueue: "Writes waiting for the next transaction."
        case .passwordQueue: "Password hashes being computed or waiting."
        case .failedLogins: "Failed logins, by reason."
        case .droppedLogLines: "Log lines that were dropped because standard error did not accept them."
        case .streams: "Open streams of events."
        case .droppedStreams: "Streams that the server has ended, by reason."
        case .logPosition: "The newest known sequence number of the change log."
        case .logLag: "Known changes to which the server has not reacted yet."
        case .anonymousMemory: "Memory that is not backed by files (RssAnon)."
        case .openFiles: "Open file descriptors."
        case .maximumFiles: "The limit on open file descriptors."
        case .startTime: "Start of the process, in seconds since 1970."
        case .build: "The version of feedserver and its database engine; always 1."
        }
    }
}
