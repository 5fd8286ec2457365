import ArgumentParser
import FeedTerminal

/// How progress is shown.
struct ProgressOption: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable { case json, plain, none }

    @Option(
        name: .customLong("progress"),
        help: "json, plain or none (default: a bar on a terminal, otherwise none).")
    var kind: Kind?

    func reporter(label: String, total: Int64?) -> ProgressReporter {
        ProgressReporter(kind: kind, label: label, total: total, screen: .current())
    }
}
