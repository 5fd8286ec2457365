import CoreMetrics
import Synchronization

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
