/// A time and a random number, which a pure rule must be given.
struct Moment: Sendable {
    /// Seconds on any clock that never goes backwards.
    var now = Monotonic.now
    /// From 0 up to 1.
    var jitter = Double.random(in: 0..<1)
}
