/// How display names are found by what they contain: a text is in a name when one of the name's endings begins with it.
package enum NameSearch {
    private static let maximumCharacters = 100
    private static let maximumBytes = 64

    /// Every ending of a name in lower case, cut to a bounded length.
    package static func endings(of name: String) -> Set<String> {
        var rest = name.lowercased().prefix(maximumCharacters)[...]
        var endings: Set<String> = []
        while !rest.isEmpty {
            if rest.first?.isWhitespace == false { endings.insert(cut(rest)) }
            rest.removeFirst()
        }
        return endings
    }

    /// What a text is looked up by.
    package static func key(_ text: String) -> String { cut(text.lowercased()[...]) }

    private static func cut(_ text: Substring) -> String {
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
