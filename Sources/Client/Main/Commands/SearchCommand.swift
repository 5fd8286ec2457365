public import ArgumentParser
import FeedAPI
public import FeedClientKit
import FeedTerminal

/// Searches for accounts, statuses and hashtags.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search for accounts, statuses and hashtags.",
        discussion: """
            QUERY may consist of several words. What is searched depends on the server; some search statuses only for \
            logged-in users.

              feedclient search sailing boats
              feedclient search @ada --kind accounts
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
            ScreenOutput().show(Self.lines(results))
        }
    }

    /// Accounts and hashtags, and then the statuses, separated from them.
    private static func lines(_ results: SearchResults) -> [String] {
        let names =
            results.accounts.map { AccountLine.text($0.value) }
            + results.hashtags.map { "#" + SafeText.line($0.value.name) }
        let renderer = StatusRenderer.forScreen()
        let statuses = results.statuses.flatMap { renderer.lines($0.status) }
        return names + (names.isEmpty || statuses.isEmpty ? [] : [""]) + statuses
    }

    private static func printJSON(_ results: SearchResults) {
        for json in results.accounts.map(\.json) + results.statuses.map(\.json) + results.hashtags.map(\.json) {
            print(JSONText.line(json))
        }
    }
}

extension SearchKind: ExpressibleByArgument {}
