/// Bytes per second over the last seconds. Pure.
struct RateMeter: Sendable {
    static let seconds = 5.0
    /// Samples closer than that replace each other, so there are never many.
    static let spacing = 0.25

    private var samples: [(time: Double, bytes: Int64)] = []

    mutating func observe(now: Double, bytes: Int64) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if samples.count > 1, now - samples[samples.count - 2].time < Self.spacing { samples.removeLast() }
        samples.append((now, bytes))
        samples.removeAll { now - $0.time > Self.seconds }
    }

    var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.spacing else {
            return nil
        }
        return Double(last.bytes - first.bytes) / (last.time - first.time)
    }
}
