/// Seconds on a clock that never goes backwards, for the rules that measure time.
enum Monotonic {
    private static let start = ContinuousClock.now

    /// Seconds since the clock was first read.
    static var now: Double { seconds(ContinuousClock.now - start) }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
