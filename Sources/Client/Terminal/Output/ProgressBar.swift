import Foundation
import Synchronization

/// A progress bar as a line of text.
public struct ProgressBar: Sendable {
    /// The unit of the amounts.
    public enum Unit: Sendable { case bytes, items }

    private let label: String
    private let total: Int64?
    private let unit: Unit

    /// - Parameters:
    ///   - label: A description of the work; it is filtered by ``SafeText``.
    ///   - total: The final amount, if known.
    public init(label: String, total: Int64?, unit: Unit = .bytes) {
        self.label = SafeText.line(label)
        self.total = total
        self.unit = unit
    }

    /// - Parameters:
    ///   - done: The amount so far.
    ///   - total: The final amount, if it was not known earlier.
    ///   - rate: The amount per second, if known.
    ///   - columns: The width of the line.
    ///   - note: Text at the end, such as the number of retries.
    public func line(done: Int64, total: Int64? = nil, rate: Double?, columns: Int, note: String = "") -> String {
        let total = total ?? self.total
        var parts = [amount(done) + (total.map { " of " + amount($0) } ?? "")]
        if let rate, rate > 0 {
            parts.append(amount(Int64(saturating: rate)) + "/s")
            if let total, total > done {
                parts.append(Self.duration(seconds: (Double(total) - Double(done)) / rate) + " left")
            }
        }
        if !note.isEmpty { parts.append(note) }
        let tail = "  " + parts.joined(separator: "  ")
        let head = TextWidth.truncated(label, to: max(8, columns / 3)) + " "
        guard let total, total > 0 else { return TextWidth.truncated(head + tail, to: columns) }
        let fraction = max(0, min(1, Double(done) / Double(total)))
        let percent =
            String(repeating: " ", count: max(0, 4 - "\(Int(fraction * 100))%".count)) + "\(Int(fraction * 100))%"
        let room = columns - TextWidth.columns(of: head) - TextWidth.columns(of: tail) - percent.count - 3
        guard room >= 5 else { return TextWidth.truncated(head + percent + tail, to: columns) }
        let filled = Int(fraction * Double(room))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        return head + bar + " " + percent + tail
    }

    private func amount(_ value: Int64) -> String { unit == .bytes ? ByteSize.text(value) : String(value) }

    /// A duration such as `42s`, `3m 05s` or `2h 10m`.
    public static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 3_600_000 else { return "?" }
        let whole = Int(max(0, seconds).rounded(.up))
        if whole < 60 { return "\(whole)s" }
        let minutes = whole / 60
        if minutes < 60 { return "\(minutes)m \(whole % 60 < 10 ? "0" : "")\(whole % 60)s" }
        return "\(minutes / 60)h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60)m"
    }
}

extension Int64 {
    /// The integer part, clamped to the bounds of the type; 0 for NaN. `Int64(_:)` traps on such values.
    package init(saturating value: Double) {
        self = Int64(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }
}

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
