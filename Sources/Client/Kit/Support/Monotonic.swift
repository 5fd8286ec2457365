/// A monotonic clock for the state machines that measure time, in seconds.
enum Monotonic {
    private static let start = ContinuousClock.now

    /// Seconds since the clock was first read.
    static var now: Double { seconds(ContinuousClock.now - start) }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
