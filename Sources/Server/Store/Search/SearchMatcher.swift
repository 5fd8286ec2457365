import FeedAPI
import FeedCore

/// Compares statuses with a ``SearchExpression`` without an index.
struct SearchMatcher {
    /// The tokens that have to be in one of the texts of a status, each with a space before it.
    private struct Pattern {
        let bytes: [UInt8]

        init(_ term: ResolvedSearch.Term.Kind) {
            switch term {
            case .word(let token): bytes = Array(" \(token) ".utf8)
            case .prefix(let token): bytes = Array(" \(token)".utf8)
            case .phrase(let tokens): bytes = Array(" \(tokens.joined(separator: " ")) ".utf8)
            }
        }

        init(fact: String) { bytes = Array(" \(fact) ".utf8) }

        /// - Parameter text: Tokens, with a space before and after each of them.
        func isPart(of text: [UInt8]) -> Bool {
            guard text.count >= bytes.count else { return false }
            return text.withUnsafeBufferPointer { text in
                (0...text.count - bytes.count).contains { start in
                    text[start] == bytes[0] && text[start..<start + bytes.count].elementsEqual(bytes)
                }
            }
        }
    }

    private let included, excluded, facts, excludedFacts: [Pattern]
    private let anyFact: [Pattern]?

    init(_ expression: SearchExpression) {
        included = expression.included.map { Pattern($0) }
        excluded = expression.excluded.map { Pattern($0) }
        facts = expression.facts.map { Pattern(fact: $0) }
        excludedFacts = expression.excludedFacts.map { Pattern(fact: $0) }
        anyFact = expression.anyFact?.map { Pattern(fact: $0) }
    }

    /// Whether a status with these tokens, with a space between two of them, meets the expression.
    func matches(words: String, facts: String) -> Bool {
        let (words, facts) = (Array(" \(words) ".utf8), Array(" \(facts) ".utf8))
        return included.allSatisfy { $0.isPart(of: words) } && !excluded.contains { $0.isPart(of: words) }
            && self.facts.allSatisfy { $0.isPart(of: facts) } && !excludedFacts.contains { $0.isPart(of: facts) }
            && anyFact.map { $0.contains { $0.isPart(of: facts) } } ?? true
    }
}

/// A condition on the search index. Every part of it has to hold.
package struct SearchExpression: Sendable, Equatable {
    var terms: [ResolvedSearch.Term] = []
    /// Tokens of facts.
    var facts: [String] = []
    var excludedFacts: [String] = []
    /// Tokens of facts of which a status must have at least one; `nil` if it need not.
    var anyFact: [String]?

    /// The part of a query that the index answers.
    init(_ query: ResolvedSearch) {
        terms = query.terms.filter { $0.kind != .phrase([]) }
        facts = query.facts.map(\.token)
        excludedFacts = query.excludedFacts.map(\.token)
        if let account = query.accountID { facts.append(SearchFact.author(account).token) }
    }

    /// The same with another condition.
    func having(any facts: [SearchFact]) -> SearchExpression {
        var expression = self
        expression.anyFact = facts.map(\.token)
        return expression
    }

    /// The terms that a status must contain.
    var included: [ResolvedSearch.Term.Kind] { terms.filter { !$0.isExcluded }.map(\.kind) }
    var excluded: [ResolvedSearch.Term.Kind] { terms.filter(\.isExcluded).map(\.kind) }
    /// Whether the index finds statuses with it; otherwise, it only excludes some.
    var selects: Bool { !included.isEmpty || !facts.isEmpty || anyFact != nil }
    var excludes: Bool { !excluded.isEmpty || !excludedFacts.isEmpty }
    /// Whether no status can meet it.
    var isImpossible: Bool { anyFact?.isEmpty == true }
}
