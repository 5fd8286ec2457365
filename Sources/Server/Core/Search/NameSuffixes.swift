import FeedAPI

/// Substring search in display names. A name contains a text if one of the name's suffixes starts with it, so storing
/// the suffixes allows the search to use an index.
package enum NameSuffixes {
    private static let maximumCharacters = 100
    private static let maximumBytes = 64

    /// All suffixes of a name, folded and truncated to 64 bytes.
    package static func suffixes(of name: String) -> Set<String> {
        var rest = FoldedText.fold(name).prefix(maximumCharacters)[...]
        var suffixes: Set<String> = []
        while !rest.isEmpty {
            if rest.first?.isWhitespace == false { suffixes.insert(truncated(rest)) }
            rest.removeFirst()
        }
        return suffixes
    }

    /// The normalized search text.
    package static func key(_ text: String) -> String { truncated(FoldedText.fold(text)[...]) }

    private static func truncated(_ text: Substring) -> String {
        guard text.utf8.count > maximumBytes else { return String(text) }
        var end = text.startIndex
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= maximumBytes else { break }
            end = text.unicodeScalars.index(after: end)
        }
        return String(text[..<end])
    }
}
