/// The current time, injected so that tests can control it.
package struct WallClock: Sendable {
    /// Milliseconds since 1970, UTC.
    package var now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64) { self.now = now }
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
