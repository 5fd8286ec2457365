import Foundation

/// Times in milliseconds since 1970.
package enum Milliseconds {
    /// From 1970 to the end of the year 9999: times that can be written in ISO 8601.
    static let valid: ClosedRange<Int64> = 0...253_402_300_799_999

    /// The time of the system clock.
    package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

/// A monotonic clock for the state machines that measure time, in seconds.
enum Monotonic {
    private static let start = ContinuousClock.now

    /// Seconds since the clock was first read.
    static var now: Double { seconds(ContinuousClock.now - start) }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}

/// A time and a random number, as input for pure functions.
struct TimeSample: Sendable {
    /// Seconds on any monotonic clock.
    var now = Monotonic.now
    /// A random number from 0 up to 1.
    var jitter = Double.random(in: 0..<1)
}

/// Arithmetic on numbers from untrusted sources, where an overflow must not trap.
extension FixedWidthInteger {
    /// The sum, clamped to the bounds of the type.
    func addingSaturating(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped to the bounds of the type.
    func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}
