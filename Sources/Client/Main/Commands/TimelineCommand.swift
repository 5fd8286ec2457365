import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Reads a timeline.
struct TimelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline", abstract: "Read a timeline.",
        discussion: "NAME is home, public or @user. Without a login it is public.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("home, public or @user.", valueName: "name")) var name = TimelineArgument(value: .everyone)
    @Option(help: "How many statuses.") var limit = 20
    @Flag(help: "One JSON object per line: the server's Status entities.") var json = false

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be 1 to 10000.") }
    }

    func run() async throws {
        try await Failure.reported {
            try await global.use { client in
                let entries = try await client.statuses(of: name.value, count: limit)
                if json {
                    for entry in entries { print(JSONText.line(entry.json)) }
                } else {
                    show(entries)
                }
            }
        }
    }

    private func show(_ entries: [TimelineEntry]) {
        let screen = Screen.current()
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let renderer = StatusRenderer(
            columns: screen.columns, style: TextStyle(hasColour: screen.hasColour), now: screen.isOutput ? now : nil)
        if entries.isEmpty { StandardError.line("nothing here yet") }
        for entry in entries {
            for line in renderer.lines(entry.status) { print(line) }
        }
    }
}

/// A timeline's name on the command line.
struct TimelineArgument: ExpressibleByArgument {
    let value: TimelineName

    init(value: TimelineName) { self.value = value }

    init?(argument: String) {
        switch argument {
        case "home": value = .home
        case "public": value = .everyone
        case _ where argument.hasPrefix("@") && argument.count > 1: value = .account(String(argument.dropFirst()))
        default: return nil
        }
    }

    var defaultValueDescription: String { "public" }
}
