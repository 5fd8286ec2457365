import Foundation
import Synchronization

/// Shows a ``ProgressBar`` on standard error if that is a terminal, and updates it at most ten times a second.
public final class ProgressLine: Sendable {
    private struct State {
        var start = ContinuousClock.now
        var last: ContinuousClock.Instant?
        var isShown = false
        var isFinished = false
    }

    private let bar: ProgressBar
    private let screen: TerminalCapabilities
    private let state = Mutex(State())

    public init(_ bar: ProgressBar, screen: TerminalCapabilities) {
        self.bar = bar
        self.screen = screen
    }

    /// - Parameters:
    ///   - done: The amount so far.
    ///   - total: The final amount, if it was not known earlier.
    ///   - base: The amount that was done before this program started.
    ///   - rate: The amount per second; `nil` for the average since the start.
    public func show(done: Int64, total: Int64? = nil, base: Int64 = 0, rate: Double? = nil, note: String = "") {
        guard screen.isError else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            if let last = state.last, now - last < .milliseconds(100) { return }
            state.last = now
            state.isShown = true
            let seconds =
                Double((now - state.start).components.seconds) + Double((now - state.start).components.attoseconds)
                / 1e18
            let rate = rate ?? (seconds > 0.2 ? (Double(done) - Double(base)) / seconds : nil)
            StandardError.write(
                "\r\u{1B}[K" + bar.line(done: done, total: total, rate: rate, columns: screen.columns - 1, note: note))
        }
    }

    /// Shows a complete bar, which remains on the screen, and ends the line. Further calls have no effect.
    /// - Parameters:
    ///   - total: The final amount.
    ///   - base: The amount that was done before this program started.
    public func finish(total: Int64, base: Int64 = 0) {
        state.withLock { state in
            guard screen.isError, !state.isFinished else { return }
            (state.isShown, state.isFinished) = (false, true)
            let elapsed = (ContinuousClock.now - state.start) / .seconds(1)
            let rate = elapsed > 0.2 ? (Double(total) - Double(base)) / elapsed : nil
            let line = bar.line(done: total, total: total, rate: rate, columns: screen.columns - 1)
            StandardError.write("\r\u{1B}[K" + line + "\n")
        }
    }

    /// Erases the line.
    public func clear() {
        state.withLock { state in
            if state.isShown { StandardError.write("\r\u{1B}[K") }
            state.isShown = false
        }
    }
}
