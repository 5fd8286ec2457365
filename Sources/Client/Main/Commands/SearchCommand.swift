import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Searches for accounts, statuses and hashtags.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search for accounts, statuses and hashtags.",
        discussion: """
            QUERY may consist of several words. What is searched depends on the server; some search statuses only for \
            logged-in users.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The words to look for, @name or #tag.", valueName: "query")) var words: [String]
    @Option(help: "Only accounts, statuses or hashtags.") var kind: SearchKind?
    @Option(name: [.customShort("n"), .long], help: "The maximum number of results of each kind.") var limit = 20
    @Flag(help: "Print one entity per line, as JSON: accounts, then statuses, then hashtags.") var json = false

    func validate() throws {
        guard (1...40).contains(limit) else { throw ValidationError("--limit must be between 1 and 40.") }
    }

    func run() async throws {
        try await ErrorReporter.run {
            let query = words.joined(separator: " ")
            let results = try await global.use { try await $0.search(query, for: kind, limit: limit) }
            if json { return Self.printJSON(results) }
            if results.isEmpty { StandardError.line("nothing found") }
            for account in results.accounts { print(AccountLine.text(account.value)) }
            for tag in results.hashtags { print("#" + SafeText.line(tag.value.name)) }
            Self.show(results)
        }
    }

    /// The statuses, separated from the other results.
    private static func show(_ results: SearchResults) {
        if !results.statuses.isEmpty, !results.accounts.isEmpty || !results.hashtags.isEmpty { print() }
        let renderer = StatusRenderer.forScreen()
        for entry in results.statuses {
            for line in renderer.lines(entry.status) { print(line) }
        }
    }

    private static func printJSON(_ results: SearchResults) {
        for json in results.accounts.map(\.json) + results.statuses.map(\.json) + results.hashtags.map(\.json) {
            print(JSONText.line(json))
        }
    }
}
