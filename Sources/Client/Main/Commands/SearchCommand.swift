public import ArgumentParser
import FeedAPI
public import FeedClientKit
import FeedTerminal

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

/// Shows what a search finds, page by page.
private final class SearchPrinter {
    private let isJSON: Bool
    private let screen = PagedOutput()
    private var renderer: StatusRenderer
    private var (isEmpty, isIncomplete) = (true, false)

    private let listed: StatusNumbers?

    init(query: String, isJSON: Bool, global: GlobalOptions) {
        let listed = isJSON ? nil : StatusNumbers.onScreen(global)
        (self.isJSON, self.listed) = (isJSON, listed)
        renderer = .forScreen(viewer: global.viewer)
        renderer.number = { listed?.number(of: $0) }
        renderer.search = SearchQuery(query)
    }

    /// Runs `body`, and then reports what is not part of the results.
    func use(_ body: () async throws -> Void) async throws {
        try await screen.use {
            defer { listed?.save() }
            try await body()
        }
        if isEmpty, !isJSON { StandardError.line("nothing found") }
        if isIncomplete { StandardError.line("the server may not have found all statuses: its search is incomplete") }
    }

    /// Shows accounts and hashtags, and then the statuses, separated from them.
    /// - Returns: Whether there is a use for more.
    func show(_ page: SearchResults) -> Bool {
        isIncomplete = isIncomplete || page.isIncomplete
        let names = isJSON ? page.accounts.map(\.json) + page.hashtags.map(\.json) : []
        if isJSON { return write(names) && show(page.statuses) }
        let lines =
            page.accounts.map { AccountLine.text($0.value) }
            + page.hashtags.map { "#" + SafeText.line($0.value.name) }
        isEmpty = isEmpty && lines.isEmpty
        let isOpen = screen.show(lines + (lines.isEmpty || page.statuses.isEmpty ? [] : [""]))
        return isOpen && show(page.statuses)
    }

    @discardableResult func show(_ statuses: [TimelineEntry]) -> Bool {
        isEmpty = isEmpty && statuses.isEmpty
        if isJSON { return write(statuses.map(\.json)) }
        return screen.show(statuses.flatMap { renderer.lines($0.status) })
    }

    private func write(_ json: [[UInt8]]) -> Bool { ScreenOutput.write(json.map { RawJSON.line($0) }) }
}

extension SearchKind: ExpressibleByArgument {}
