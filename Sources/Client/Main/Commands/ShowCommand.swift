import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows a status, including text behind a content warning.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a status.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The id or URL of the status.") var id: String
    @Flag(help: "Print the Status entity as JSON.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
            let id = try global.statusID(id)
            let entry = try await global.use { try await $0.status(id) }
            if json { return print(JSONText.line(entry.json)) }
            var renderer = StatusRenderer.forScreen()
            renderer.revealsSensitive = true
            for line in renderer.lines(entry.status).dropLast() { print(line) }
        }
    }
}
