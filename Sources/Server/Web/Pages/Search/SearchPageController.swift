import FeedAPI
import FeedCore
import FeedStore

/// The page on which visitors search what is public, and members what they may see. It works without script.
struct SearchPageController: Sendable {
    /// The numbers of accounts and hashtags beside statuses.
    private static let maximumAccounts = 5
    private static let maximumTags = 10

    let pages: PageController
    let finder: Finder
    let tags: TagStore

    func addEndpoints(to endpoints: Endpoints) { endpoints.get("/search", .open, use: search) }

    @Sendable private func search(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try request.query.withoutNUL()
        let search = try SearchInput(input, Pagination(input, limits: pages.settings.limits))
        var shown = try pages.newPage(for: request, context)
        let heading = shown.text.words.search
        let title = search.text.isEmpty ? heading : shown.text.searchTitle(search.text)
        shown.setTitle("\(title) – \(shown.site.title)", heading: heading)
        shown.setSearch(search.text)
        if let unknown = SearchQuery.unknownOperator(in: search.text) {
            shown.set(.unknownOperator, shown.text.unknownOperator(unknown))
        }
        guard (try? search.check()) != nil else {
            shown.setEmpty(shown.text.searchHelp)
            return pages.response(with: shown, context)
        }
        let viewer = context.searcher
        guard viewer != nil || search.offset == 0 else { throw FeedError.unauthorized }
        let isFirstPage = search.statuses.maxID == nil && search.statuses.minID == nil
        var count = 0
        if search.wants(.accounts), isFirstPage { count += try await showAccounts(search, viewer, &shown) }
        if search.wants(.hashtags), isFirstPage { count += try await showTags(search, viewer, &shown) }
        if search.wants(.statuses) { count += try await showStatuses(search, viewer, &shown) }
        if count == 0 {
            shown.setEmpty(search.statuses.query.isEmpty ? shown.text.searchHelp : shown.text.nothingFound)
        }
        return pages.response(with: shown, context)
    }

    /// - Returns: The number of accounts that were found.
    private func showAccounts(
        _ search: SearchInput, _ viewer: Int64?, _ page: inout PageContext
    ) async throws -> Int {
        let limit = search.kind == nil ? Self.maximumAccounts : search.limit
        let found = try await finder.accounts(search.fetching(limit + 1), on: BaseURL.host(page.base), for: viewer)
        guard !found.isEmpty else { return 0 }
        page.show(Array(found.prefix(limit)))
        page.set(.peopleHeading, page.text.people)
        page.setMore(.morePeople, of: .accounts, search, limit: limit, hasMore: found.count > limit, viewer)
        return found.count
    }

    private func showTags(_ search: SearchInput, _ viewer: Int64?, _ page: inout PageContext) async throws -> Int {
        let limit = search.kind == nil ? Self.maximumTags : search.limit
        let found = try await finder.tags(search.fetching(limit + 1))
        guard !found.isEmpty else { return 0 }
        let names = try await tags.names(of: found)
        page.showRows(found.prefix(limit).map { TemplateValues(tag: $0, names[$0]) })
        page.set(.rowsHeading, page.text.hashtags)
        page.set(.moreRowsText, page.text.moreHashtags)
        page.setMore(.moreRows, of: .hashtags, search, limit: limit, hasMore: found.count > limit, viewer)
        return found.count
    }

    private func showStatuses(
        _ search: SearchInput, _ viewer: Int64?, _ page: inout PageContext
    ) async throws -> Int {
        let found = try await finder.statuses(search, on: BaseURL.host(page.base), for: viewer)
        let names = try await ReplyNames(of: found.statuses, in: pages.accounts)
        page.show(found.statuses, names: names) { SearchHighlighter.marked($0, search.statuses.query) }
        page.set(.empty, false)
        page.set(.searchIncomplete, found.isIncomplete)
        if let older = found.older { page.set(.older, search.address(of: .statuses) + "&max_id=\(older)") }
        guard !found.statuses.isEmpty else { return 0 }
        page.set(.postsHeading, page.text.words.posts)
        return found.statuses.count
    }
}

extension SearchInput {
    /// The same search for another number of accounts or hashtags.
    fileprivate func fetching(_ limit: Int) -> SearchInput {
        var search = self
        search.limit = limit
        return search
    }

    /// The address of the page with a single kind of results.
    fileprivate func address(of kind: Kind) -> String {
        var address = "/search?q=\(text.percentEncodedSegment)&type=\(kind.rawValue)"
        if onlyFollowed { address += "&following=true" }
        if let id = statuses.accountID { address += "&account_id=\(id)" }
        if let id = statuses.minID { address += "&min_id=\(id)" }
        return address
    }
}

extension RequestContext {
    /// The account that searches; `nil` for visitors, and for tokens that may not search.
    fileprivate var searcher: Int64? {
        guard let viewer, viewer.scopes.allows(.readSearch) else { return nil }
        return reader?.id
    }
}

extension PageContext {
    /// Shows the field with the text that was searched for.
    fileprivate mutating func setSearch(_ text: String) {
        set(.searching, true)
        set(.query, text)
        set(.noindex, true)
    }

    /// Links to more accounts or hashtags: to a page of their own, and there to the next one.
    fileprivate mutating func setMore(
        _ key: TemplateName, of kind: SearchInput.Kind, _ search: SearchInput, limit: Int, hasMore: Bool,
        _ viewer: Int64?
    ) {
        guard hasMore else { return }
        guard search.kind != nil else { return set(key, search.address(of: kind)) }
        let next = search.offset + limit
        guard viewer != nil, next <= SearchInput.maximumNameOffset else { return }
        set(.older, search.address(of: kind) + "&offset=\(next)&limit=\(limit)")
    }
}

/// Marks what was searched for in stored HTML. Only text is marked: nothing inside of a tag or of an entity, so that the
/// HTML stays as safe as it was. Both are found as bytes, because U+0600 before a bracket would hide it from a search
/// for characters.
enum SearchHighlighter {
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
