import ArgumentParser
import FeedTerminal
import Foundation
import Synchronization

/// How progress is shown.
struct ProgressOption: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable { case json, plain, none }

    @Option(
        name: .customLong("progress"),
        help: "json, plain or none; a bar on a terminal and nothing elsewhere without it.")
    var kind: Kind?

    func reporter(label: String, total: Int64?) -> ProgressReporter {
        ProgressReporter(kind: kind, label: label, total: total, screen: .current())
    }
}

/// Shows progress on standard error, a few times a second.
final class ProgressReporter: Sendable {
    private let kind: ProgressOption.Kind?
    private let label: String
    private let total: Int64?
    private let screen: Screen
    private let line = Mutex<ProgressLine?>(nil)
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(kind: ProgressOption.Kind?, label: String, total: Int64?, screen: Screen) {
        self.kind = kind
        self.label = label
        self.total = total
        self.screen = screen
    }

    func show(done: Int64, total: Int64? = nil, base: Int64 = 0, note: String = "") {
        let total = total ?? self.total
        switch kind {
        case nil: bar(total).show(done: done, base: base, note: note)
        case .some(.none): break
        case .json: if isDue { StandardError.line("{\"done\":\(done),\"total\":\(total.map(String.init) ?? "null")}") }
        case .plain:
            if isDue {
                StandardError.line("\(ProgressBar.bytes(done))" + (total.map { " of " + ProgressBar.bytes($0) } ?? ""))
            }
        }
    }

    func clear() { line.withLock { $0?.clear() } }

    private func bar(_ total: Int64?) -> ProgressLine {
        line.withLock { line in
            if let line { return line }
            let made = ProgressLine(ProgressBar(label: label, total: total), screen: screen)
            line = made
            return made
        }
    }

    private var isDue: Bool {
        last.withLock { last in
            let now = ContinuousClock.now
            if let last, now - last < .milliseconds(500) { return false }
            last = now
            return true
        }
    }
}
