import ArgumentParser
import FeedClientKit
import FeedTerminal

/// The reader on the whole terminal.
struct TuiCommand: AsyncParsableCommand {
    static let name = "tui"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Read and post on the whole terminal.",
        discussion: """
            What is stored appears at once, and what is new as it arrives. The key ? lists all keys, q quits. \
            feedclient without a command does the same on a terminal. --plain prints one entry after the other, for screen \
            readers: Enter shows the next entry, keys are commands, and a text follows its key, as in "r Well said".

              feedclient tui
              feedclient --as @bob tui
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print line by line, for screen readers.") var plain = false

    func run() async throws {
        try await ErrorReporter.run {
            let global = try global.pinned()
            if plain { return try await ReaderConnections.sharing { try await PlainReader(global).run() } }
            try await ReaderLoop(global).run()
        }
    }
}
