import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Opens the page of a status in the browser.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the page of a status in the browser.",
        discussion: """
            Prints its address, too, and nothing else happens where no browser is known. BROWSER names another one than \
            that of the desktop.

              feedclient open 112233445566778899
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: StatusHelp.text, completion: Completions.status) var id: String

    func run() async throws {
        try await ErrorReporter.run {
            let id = try await global.statusID(id)
            let entry = try await global.use { try await $0.status(id) }
            let status = entry.status.reblog?.value ?? entry.status
            guard let url = status.url else {
                throw FeedClientError(.notFound, "The status has no page of its own")
            }
            print(SafeText.line(url))
            guard let browser = WebBrowser() else { return StandardError.line("no browser is known; set BROWSER") }
            _ = StandardOutput.flush()
            try browser.open(url, waits: true)
        }
    }
}
