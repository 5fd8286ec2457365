/// Limits how often an event is logged. Pure.
package struct LogInterval: Sendable {
    private let milliseconds: Int64
    private var last: Int64?
    private var suppressed = 0

    /// - Parameter milliseconds: The minimum time between two lines.
    package init(milliseconds: Int64 = 60_000) { self.milliseconds = milliseconds }

    /// Counts an event.
    /// - Parameter now: Milliseconds of a monotonic clock.
    /// - Returns: The number of events since the last line, including this one, if a line is due.
    package mutating func take(now: Int64) -> Int? {
        suppressed += 1
        if let last, now - last < milliseconds { return nil }
        defer { suppressed = 0 }
        last = now
        return suppressed
    }
}
