import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows what a server says about itself.
struct InstanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "instance", abstract: "Show the description, rules and limits of a server.",
        discussion: """
              feedclient instance
              feedclient instance --server https://feed.example
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print the Instance entity as JSON.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
            let address = try global.session().address
            let (details, json) = try await global.use { try await $0.instance() }
            if self.json { return print(RawJSON.line(json)) }
            let output = ScreenOutput()
            let renderer = InstanceRenderer(columns: output.screen.wrapColumns, style: TextStyle(output.screen))
            output.show(renderer.lines(details, address))
        }
    }
}
