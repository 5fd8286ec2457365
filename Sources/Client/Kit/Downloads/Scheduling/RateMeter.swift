/// The rate over the last seconds, in bytes per second. Pure.
struct RateMeter: Sendable {
    private static let window = 5.0
    /// The minimum time in seconds between samples. An earlier sample is replaced, which bounds the number of samples.
    private static let minimumInterval = 0.25

    private var samples: [(time: Double, bytes: Int64)] = []

    mutating func observe(now: Double, bytes: Int64) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if samples.count > 1, now - samples[samples.count - 2].time < Self.minimumInterval { samples.removeLast() }
        samples.append((now, bytes))
        samples.removeAll { now - $0.time > Self.window }
    }

    /// The rate; `nil` until there are enough samples.
    var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.minimumInterval else {
            return nil
        }
        return Double(last.bytes - first.bytes) / (last.time - first.time)
    }
}
