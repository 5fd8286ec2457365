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

    /// Something that a status has. The raw values are those of the operator `has:`.
    package enum Attachment: String, Sendable, CaseIterable { case media, image, video, audio, poll, link }

    /// A kind of status. The raw values are those of the operator `is:`.
    package enum Property: String, Sendable, CaseIterable { case reply, sensitive }

    /// A property of a status other than its text.
    package struct Fact: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case fromMe
            case from(AccountHandle)
            case has(Attachment)
            case `is`(Property)
            /// The language tag in lowercase.
            case language(String)
        }

        package var kind: Kind
        /// Whether statuses with this property are excluded.
        package var isExcluded: Bool

        package init(_ kind: Kind, isExcluded: Bool = false) {
            self.kind = kind
            self.isExcluded = isExcluded
        }
    }

    /// A status must match all of them. Each occurs once.
    package var terms: [Term] = []
    package var facts: [Fact] = []
    /// Only statuses created before this time, in milliseconds since 1970.
    package var before: Int64?
    /// Only statuses created at this time or later, in milliseconds since 1970.
    package var after: Int64?

    package init() {}

    /// Whether there is nothing to search for.
    package var isEmpty: Bool { terms.isEmpty && facts.isEmpty && before == nil && after == nil }
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
