import FeedCore

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
