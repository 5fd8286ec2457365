/// The rules for a viewer's filters.
package enum FilterRule {
    /// The maximum number of filters, of keywords and of statuses in them, per account.
    package static let maximumFilters = 100
    package static let maximumKeywords = 1000
    package static let maximumStatuses = 1000
    /// The maximum total size in bytes of an account's keywords, which bounds the memory of a ``FilterMatcher``.
    static let maximumKeywordBytes = 32 * 1024
    /// The maximum length of a title and of a keyword in characters. A character can have any number of bytes, so the
    /// size in bytes is bounded, too.
    package static let titleCharacters = 256
    static let keywordCharacters = 512
    static let textBytes = 2048

    /// Mastodon's message for missing and unknown contexts.
    package static let invalidContext = "Context None or invalid context supplied"

    /// Applies changes to a filter.
    /// - Parameters:
    ///   - draft: The changes. Those to keywords are applied by ``apply(_:to:)``.
    ///   - filter: `nil` for a new filter.
    /// - Returns: The filter, whose id is 0 if it is new.
    /// - Throws: ``FeedError`` `.invalid`.
    package static func apply(_ draft: FilterDraft, to filter: Filter?) throws(FeedError) -> Filter {
        var filter = filter ?? Filter(id: 0, title: "", contexts: [])
        filter.title = draft.title.map(trimmed) ?? filter.title
        if let contexts = draft.contexts { filter.contexts = Filter.Context.allCases.filter(contexts.contains) }
        filter.action = draft.action ?? filter.action
        switch draft.expiry {
        case nil: break
        case .never: filter.expiresAt = nil
        case .at(let time): filter.expiresAt = time
        }
        try check(filter.title, "Title", characters: titleCharacters)
        guard !filter.contexts.isEmpty else { throw .invalid("Context can't be blank, \(invalidContext)") }
        return filter
    }

    /// Applies changes to a keyword.
    /// - Parameter keyword: `nil` for a new keyword.
    /// - Returns: The keyword, whose id is 0 if it is new.
    /// - Throws: ``FeedError`` `.invalid`.
    package static func apply(_ draft: FilterDraft.Keyword, to keyword: Filter.Keyword?) throws(FeedError)
        -> Filter.Keyword
    {
        var keyword = keyword ?? Filter.Keyword(id: 0, text: "", isWholeWord: true)
        keyword.text = draft.text.map(trimmed) ?? keyword.text
        keyword.isWholeWord = draft.isWholeWord ?? keyword.isWholeWord
        try check(keyword.text, "Keyword", characters: keywordCharacters)
        return keyword
    }

    /// - Parameters:
    ///   - filters: The number of an account's filters.
    ///   - keywords: The number of its keywords, and their total size in bytes.
    /// - Throws: ``FeedError`` `.invalid` if any is too large.
    package static func check(filters: Int, keywords: Int, bytes: Int, statuses: Int) throws(FeedError) {
        guard filters <= maximumFilters else { throw .invalid("You cannot have more than \(maximumFilters) filters") }
        guard keywords <= maximumKeywords else {
            throw .invalid("You cannot have more than \(maximumKeywords) keywords in your filters")
        }
        guard bytes <= maximumKeywordBytes else {
            throw .invalid("The keywords of your filters are longer than \(maximumKeywordBytes) bytes together")
        }
        guard statuses <= maximumStatuses else {
            throw .invalid("You cannot have more than \(maximumStatuses) statuses in your filters")
        }
    }

    private static func check(_ text: String, _ name: String, characters: Int) throws(FeedError) {
        guard !text.isEmpty else { throw .invalid("\(name) can't be blank") }
        guard text.utf8.count <= textBytes, text.count <= characters else {
            throw .invalid("\(name) is longer than \(characters) characters or \(textBytes) bytes")
        }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
