import FeedTerminal
import Synchronization

/// The progress of a command, one line per step, shown only on a terminal. Several threads may report at once.
final class ProgressReporter: Sendable {
    private let line: ProgressLine
    private let total: Int64
    private let done = Atomic<Int64>(0)

    /// - Parameters:
    ///   - label: The step.
    ///   - total: The final amount; 0 if unknown.
    init(_ label: String, total: Int64 = 0, unit: ProgressBar.Unit = .bytes) {
        line = ProgressLine(ProgressBar(label: label, total: nil, unit: unit), screen: .current())
        self.total = total
    }

    /// Adds to the amount.
    func advance(_ amount: Int64) {
        let sum = done.add(amount, ordering: .relaxed).newValue
        line.show(done: sum, total: total > 0 ? max(total, sum) : nil)
    }

    /// Sets the amount and the total.
    func show(_ done: Int64, of total: Int64) { line.show(done: done, total: total > 0 ? max(total, done) : nil) }

    /// Erases the line.
    func clear() { line.clear() }

    /// Shows a step while `body` runs.
    static func during<Value>(
        _ label: String, total: Int64 = 0, unit: ProgressBar.Unit = .bytes,
        _ body: (ProgressReporter) async throws -> Value
    ) async rethrows -> Value {
        let progress = ProgressReporter(label, total: total, unit: unit)
        defer { progress.clear() }
        return try await body(progress)
    }
}
