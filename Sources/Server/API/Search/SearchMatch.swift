/// Comparing texts with the terms of a query, without an index.
extension SearchQuery {
    /// Whether texts together contain everything that is looked for, and nothing that is excluded. A phrase does not
    /// continue in the next text.
    package func matches(_ texts: [String]) -> Bool {
        let texts = texts.map { SearchText.tokens(of: $0) }
        return terms.allSatisfy { term in
            texts.contains { !term.kind.places(in: $0).isEmpty } != term.isExcluded
        }
    }

    /// The parts of a text that are looked for, in order and without overlaps.
    package func matches(in text: String) -> [Range<String.Index>] {
        let places = SearchText.places(in: text)
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
