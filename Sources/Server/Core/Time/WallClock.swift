import Foundation

/// The current time, injected so that tests can control it.
package struct WallClock: Sendable {
    /// Milliseconds since 1970, UTC.
    package var now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The clock of the system.
    package static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension Duration {
    /// The duration in nanoseconds, limited to 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isEvenLonger) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLong || isEvenLonger ? .max : sum
    }
}
