/// The average rate of a counter over the last minute, from samples of its value. Pure.
package struct LoadAverage: Sendable {
    /// The length of the window in milliseconds.
    private static let window: Int64 = 60_000
    private static let maximumSamples = 64

    private var samples: [(time: Int64, count: Int64)]

    /// - Parameter now: Milliseconds of a monotonic clock, as for all other functions.
    package init(now: Int64, count: Int64 = 0) { samples = [(now, count)] }

    package mutating func add(_ count: Int64, now: Int64) {
        samples.append((now, count))
        // The newest sample that is older than the window is the start of the average.
        while samples.count > 2, samples[1].time <= now - Self.window || samples.count > Self.maximumSamples {
            samples.removeFirst()
        }
    }

    /// Events per second since the start of the window.
    package func rate(_ count: Int64, now: Int64) -> Double {
        guard let first = samples.first, now > first.time else { return 0 }
        return Double(max(0, count - first.count)) * 1000 / Double(now - first.time)
    }
}
