/// A search for statuses as it was written, without what only a database knows.
package struct SearchQuery: Sendable, Equatable {
    /// Something that the text of a status contains.
    package struct Term: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// A token.
            case word(String)
            /// The beginning of a token.
            case prefix(String)
            /// Two or more tokens that follow each other.
            case phrase([String])
        }

        package var kind: Kind
        /// Whether the status must not contain it.
        package var isExcluded: Bool

        package init(_ kind: Kind, isExcluded: Bool = false) {
            self.kind = kind
            self.isExcluded = isExcluded
        }
    }

    /// A status must match all of them. Each occurs once.
    package var terms: [Term] = []
    package var facts: [SearchOperator] = []
    /// Only statuses created before this time, in milliseconds since 1970.
    package var before: Int64?
    /// Only statuses created at this time or later, in milliseconds since 1970.
    package var after: Int64?

    package init() {}

    /// Whether there is nothing to search for.
    package var isEmpty: Bool { terms.isEmpty && facts.isEmpty && before == nil && after == nil }
}

/// Parsing what was written.
extension SearchQuery {
    /// The maximum number of terms and facts; what follows them is ignored.
    package static let maximumTerms = 40
    /// The minimum number of characters before `*`; fewer are a word.
    package static let minimumPrefix = 3

    /// Parses words, `wor*`, `"a phrase"`, `-excluded` and operators such as `from:name`. Everything is understood:
    /// operators with unknown names and values are words.
    package init(_ text: String) {
        var rest = text.unicodeScalars[...]
        while terms.count + facts.count < Self.maximumTerms, let part = Part.next(in: &rest) {
            if part.isQuoted || !addOperator(part) { addTerms(part) }
        }
    }

    /// The first part of a text that looks like an operator but has an unknown value, so that it is searched for as words.
    package static func unknownOperator(in text: String) -> String? {
        var (rest, query) = (text.unicodeScalars[...], SearchQuery())
        while let part = Part.next(in: &rest) {
            guard !part.isQuoted, let (name, value) = part.operation, !value.isEmpty,
                SearchOperator.names.contains(name),
                !query.addOperator(part)
            else { continue }
            return String(Substring(part.text))
        }
        return nil
    }

    private mutating func addTerms(_ part: Part) {
        for kind in Self.kinds(part) {
            let term = Term(kind, isExcluded: part.isExcluded)
            if !terms.contains(term) { terms.append(term) }
        }
    }

    /// The text that a word or a phrase looks for. A single character of a script without spaces begins a token; if other tokens
    /// precede it, both are looked for.
    private static func kinds(_ part: Part) -> [Term.Kind] {
        var words = SearchTokenizer.words(of: String(Substring(part.text)))
        if words.last?.form == .end { words.removeLast() }
        guard let last = words.last else { return [] }
        let begins =
            part.text.last == "*" && !part.isQuoted && last.form == .word
            && last.token.unicodeScalars.count >= minimumPrefix
        guard begins || last.form == .single, words.count == 1 || !part.isExcluded else { return [kind(words[...])] }
        let first = words.dropLast()
        return (first.isEmpty ? [] : [kind(first)]) + [.prefix(last.token)]
    }

    private static func kind(_ words: ArraySlice<SearchTokenizer.Word>) -> Term.Kind {
        let tokens = words.map(\.token)
        return tokens.count == 1 ? .word(tokens[0]) : .phrase(tokens)
    }

    /// - Returns: Whether the part is an operator with a value that it knows.
    private mutating func addOperator(_ part: Part) -> Bool {
        guard let (name, value) = part.operation else { return false }
        if name == "before" || name == "after" {
            return addTime(value, isBefore: (name == "before") != part.isExcluded, isDayIncluded: part.isExcluded)
        }
        guard let kind = SearchOperator.Kind(name, value) else { return false }
        let fact = SearchOperator(kind, isExcluded: part.isExcluded)
        if !facts.contains(fact) { facts.append(fact) }
        return true
    }

    /// - Parameter isDayIncluded: Whether a date without a time stands for the status of that day, too.
    private mutating func addTime(_ value: String, isBefore: Bool, isDayIncluded: Bool) -> Bool {
        guard var time = ISO8601.milliseconds(written: value) else { return false }
        let isDay = value.utf8.count == "2026-01-31".utf8.count
        if isDay, isBefore == isDayIncluded { time += 86_400_000 }
        if isBefore {
            before = min(before ?? time, time)
        } else {
            after = max(after ?? time, time)
        }
        return true
    }
}

/// Comparing texts with the terms of a query, without an index.
extension SearchQuery {
    /// Whether texts together contain everything that is looked for, and nothing that is excluded. A phrase does not
    /// continue in the next text.
    package func matches(_ texts: [String]) -> Bool {
        let texts = texts.map { SearchTokenizer.tokens(of: $0) }
        return terms.allSatisfy { term in
            texts.contains { !term.kind.places(in: $0).isEmpty } != term.isExcluded
        }
    }

    /// The parts of a text that are looked for, in order and without overlaps.
    package func matches(in text: String) -> [Range<String.Index>] {
        let places = SearchTokenizer.places(in: text)
        let tokens = places.map(\.token)
        let found = terms.filter { !$0.isExcluded }.flatMap { $0.kind.places(in: tokens) }
        let ranges = found.map { places[$0.lowerBound].range.lowerBound..<places[$0.upperBound - 1].range.upperBound }
        return Self.joined(ranges.sorted { $0.lowerBound < $1.lowerBound })
    }

    private static func joined(_ ranges: [Range<String.Index>]) -> [Range<String.Index>] {
        var joined: [Range<String.Index>] = []
        for range in ranges {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}

extension SearchQuery.Term.Kind {
    /// The positions of the tokens that are looked for.
    fileprivate func places(in tokens: [String]) -> [Range<Int>] {
        switch self {
        case .word(let word): tokens.indices.filter { tokens[$0] == word }.map { $0..<$0 + 1 }
        case .prefix(let prefix):
            tokens.indices.filter { tokens[$0].utf8.starts(with: prefix.utf8) }.map { $0..<$0 + 1 }
        case .phrase(let words):
            tokens.indices.dropLast(words.count - 1)
                .filter { tokens[$0] == words[0] && tokens[$0..<$0 + words.count].elementsEqual(words) }
                .map { $0..<$0 + words.count }
        }
    }
}

/// A part of a query: a phrase in quotes, or what stands between spaces.
private struct Part {
    let text: Substring.UnicodeScalarView
    let isQuoted: Bool
    let isExcluded: Bool

    /// The lowercase text before the first colon, and the text after it; `nil` without a colon.
    var operation: (name: String, value: String)? {
        guard let colon = text.firstIndex(where: { $0 == ":" }) else { return nil }
        return (Substring(text[..<colon]).lowercased(), String(Substring(text[text.index(after: colon)...])))
    }

    /// Takes the first part of a query.
    /// - Returns: `nil` if there is none.
    static func next(in rest: inout Substring.UnicodeScalarView) -> Part? {
        rest = rest.drop { $0.properties.isWhitespace }
        guard let first = rest.first else { return nil }
        let isExcluded = first == "-"
        if isExcluded { rest = rest.dropFirst() }
        let isQuoted = rest.first.map(isQuote) == true
        if isQuoted { rest = rest.dropFirst() }
        let text = rest.prefix { isQuoted ? !isQuote($0) : !$0.properties.isWhitespace }
        rest = rest[text.endIndex...]
        if isQuoted { rest = rest.dropFirst() }
        return Part(text: text, isQuoted: isQuoted, isExcluded: isExcluded)
    }

    /// Keyboards of telephones replace plain quotes with typographic ones.
    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "“", "”", "„": true
        default: false
        }
    }
}
