import FeedAPI
import FeedCore

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
