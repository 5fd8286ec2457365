import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows what a search finds, page by page.
final class SearchPrinter {
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
