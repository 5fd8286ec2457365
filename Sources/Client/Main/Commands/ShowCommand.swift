import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows a status, including text behind a content warning.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a status, or the conversation around it.",
        discussion: """
            Text behind the content warning of the status is shown. With --thread, the statuses that it replies to come \
            first, and the replies to it follow, indented; their content warnings stay closed. --offline shows what has \
            been stored of it.

              feedclient show 3 --thread
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: StatusHelp.text, completion: Completions.status) var id: String
    @Flag(help: "Show what the status replies to, and the replies to it.") var thread = false
    @Flag(help: "Print the Status entity as JSON; with --thread, one per line.") var json = false
    @OptionGroup var stored: OfflineOptions
    @Option(help: PictureOption.help) var images = PictureOption.auto

    func run() async throws {
        try await ErrorReporter.run {
            let id = try await global.statusID(id)
            if thread { return try await showThread(id) }
            let entry = try await stored.find(global, { try await $0.status(id) }) {
                try await $0.statuses().status(id)
            }
            try await keep([entry])
            if json { return print(RawJSON.line(entry.json)) }
            var renderer = StatusRenderer.forScreen()
            renderer.revealsSensitive = true
            var request = StatusPictures.Request()
            request.add(entry.status.reblog?.value ?? entry.status, shownBy: renderer)
            try await PictureOutput(images: images, global: global, onlyCached: stored.offline).show(renderer, request)
            {
                Array($0.lines(entry.status).dropLast())
            }
        }
    }

    /// Stores statuses of the server, so that they are found without a network.
    private func keep(_ entries: [TimelineEntry]) async throws {
        guard !stored.offline else { return }
        await OfflineTimelines(try global.session()).keep(entries)
    }

    private func showThread(_ id: String) async throws {
        let thread = try await stored.find(global, { try await $0.thread(of: id) }) {
            try await $0.statuses().thread(of: id)
        }
        try await keep(thread.items.map(\.entry))
        if json {
            for item in thread.items { print(RawJSON.line(item.entry.json)) }
            return
        }
        let listed = StatusNumbers.onScreen(global)
        var renderer = StatusRenderer.forScreen(viewer: global.viewer)
        renderer.number = { listed?.number(of: $0) }
        let request = ThreadRenderer(renderer: renderer).pictures(thread)
        defer { listed?.save() }
        let output = PictureOutput(
            images: images, global: global, onlyCached: stored.offline, inset: PictureOutput.threadInset)
        try await output.show(renderer, request) { ThreadRenderer(renderer: $0).lines(thread) }
    }
}
