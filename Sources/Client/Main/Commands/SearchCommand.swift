public import ArgumentParser
public import FeedClientKit

/// Searches for accounts, statuses and hashtags.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search for accounts, statuses and hashtags.",
        discussion: """
            QUERY may consist of several words, all of which have to occur. What is searched depends on the server; some \
            search statuses only for logged-in users.

            A feed server, and --offline, understand wor* (three characters or \
            more), "a phrase", -not, from:@name, from:me, has:media (or image, video, audio, poll, link), is:reply, \
            is:sensitive, before:2026-01-31, after:2026-01-31 and language:en; quote the query if it contains one of \
            " * -.

            The newest statuses come first; --before continues below one of them. --offline searches the statuses \
            that timeline, show and search have shown.

              feedclient search sailing boats
              feedclient search '"fair winds" from:ada -storm'
              feedclient search @ada --kind accounts
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The words to look for, @name or #tag.", valueName: "query")) var words: [String]
    @Option(help: "Only accounts, statuses or hashtags.") var kind: SearchKind?
    @Option(
        name: [.customShort("n"), .long],
        help: "The maximum number of statuses; at most 40 of the other kinds are shown.")
    var limit = 20
    @Option(help: .init("Show only statuses older than this one.", valueName: "ref"), completion: Completions.status)
    var before: String?
    @Flag(help: "Search the stored statuses, without a network.") var offline = false
    @Flag(help: "Print one entity per line, as JSON: accounts, then hashtags, then statuses.") var json = false

    private var query: String { words.joined(separator: " ") }

    func validate() throws {
        guard query.contains(where: { !$0.isWhitespace }) else { throw ValidationError("QUERY must not be empty.") }
        guard (1...10_000).contains(limit) else { throw ValidationError("-n (--limit) must be between 1 and 10000.") }
        guard kind ?? .statuses == .statuses || before == nil && !offline else {
            throw ValidationError("--before and --offline find statuses only: omit --kind.")
        }
    }

    func run() async throws {
        try await ErrorReporter.run {
            let output = SearchPrinter(query: query, isJSON: json, global: global)
            try await output.use { offline ? try await showStored(on: output) : try await show(on: output) }
        }
    }

    private func show(on output: SearchPrinter) async throws {
        let before = try await oldest()
        let stored = OfflineTimelines(try global.session())
        try await global.use { client in
            try await client.search(query, for: before == nil ? kind : .statuses, count: limit, before: before) {
                page in
                await stored.keep(page.statuses)
                return output.show(page)
            }
        }
    }

    private func showStored(on output: SearchPrinter) async throws {
        let session = try global.session()
        let entries = try await OfflineTimelines(session).search(
            query, count: limit, before: try await oldest(), session)
        output.show(entries)
    }

    private func oldest() async throws -> String? {
        guard let before else { return nil }
        return try await global.statusID(before)
    }
}

extension SearchKind: ExpressibleByArgument {}
