/// A time and a random number, as input for pure functions.
struct Moment: Sendable {
    /// Seconds on any monotonic clock.
    var now = Monotonic.now
    /// A random number from 0 up to 1.
    var jitter = Double.random(in: 0..<1)
}
