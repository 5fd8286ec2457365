import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// The page on which visitors search the public statuses. It works without script.
extension PageController {
    private static let help = """
        Find posts by words, by the beginning of a word* or by a “phrase”. A minus excludes what follows it. from:name, \
        has:image, is:reply, before:2026-01-31, after:2026-01-31 and language:en narrow the search.
        """

    @Sendable func search(_ request: Request, _ context: FeedContext) async throws -> Response {
        let input = try request.query.withoutNUL()
        let text = input["q"] ?? ""
        guard text.utf8.count <= SearchController.maximumBytes else {
            throw FeedError(.invalid, "The search is longer than \(SearchController.maximumBytes) bytes")
        }
        let (page, query) = (try Pagination(input, limits: settings.limits), SearchQuery(text))
        var shown = try newPage(for: request, context)
        let title = text.isEmpty ? "Search" : text + " – Search"
        shown.setTitle("\(title) – \(shown.site.title)", heading: "Search")
        shown.setSearch(text)
        if query.isEmpty {
            shown.setEmpty(Self.help)
        } else {
            let found = try await self.search.statuses(
                StatusSearchRequest(query: query, maxID: page.maxID), on: BaseURL.host(shown.base), limit: page.limit,
                viewer: context.reader?.id)
            shown.show(found, of: query, at: "/search?q=" + text.percentEncodedSegment)
        }
        return response(with: shown, context)
    }
}

extension PageContext {
    /// Shows the field with the text that was searched for.
    fileprivate mutating func setSearch(_ text: String) {
        set(.searching, true)
        set(.query, text)
        set(.noindex, true)
    }

    /// - Parameter address: The address of the page without `max_id`.
    fileprivate mutating func show(_ found: FoundStatuses, of query: SearchQuery, at address: String) {
        setEmpty("Nothing found.")
        show(found.statuses) { SearchMarks.marked($0, query) }
        set(.searchIncomplete, found.isIncomplete)
        if found.hasOlder, let oldest = found.statuses.last { set(.older, "\(address)&max_id=\(oldest.id)") }
    }
}

/// Marks what was searched for in stored HTML. Only text is marked: nothing inside of a tag or of an entity, so that the
/// HTML stays as safe as it was. Both are found as bytes, because U+0600 before a bracket would hide it from a search
/// for characters.
enum SearchMarks {
    static func marked(_ html: String, _ query: SearchQuery) -> String {
        var result = ""
        var rest = Substring(html).utf8
        while !rest.isEmpty {
            let text = rest.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
            result += marked(String(Substring(text)), in: query)
            let markup = rest[text.endIndex...]
            guard let first = markup.first else { break }
            let close = first == UInt8(ascii: "<") ? UInt8(ascii: ">") : UInt8(ascii: ";")
            let end = markup.firstIndex(of: close).map { markup.index(after: $0) } ?? markup.endIndex
            result += Substring(markup[..<end])
            rest = markup[end...]
        }
        return result
    }

    private static func marked(_ text: String, in query: SearchQuery) -> String {
        var result = ""
        var end = text.startIndex
        for range in query.matches(in: text) {
            result += text[end..<range.lowerBound] + "<mark>" + text[range] + "</mark>"
            end = range.upperBound
        }
        return result + text[end...]
    }
}
