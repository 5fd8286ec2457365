import FeedAPI
import FeedCore

/// A condition on the search index. Every part of it has to hold.
package struct SearchExpression: Sendable, Equatable {
    var terms: [StatusQuery.Term] = []
    /// Tokens of facts.
    var facts: [String] = []
    var excludedFacts: [String] = []
    /// Tokens of facts of which a status must have at least one; `nil` if it need not.
    var anyFact: [String]?

    /// The part of a query that the index answers.
    init(_ query: StatusQuery) {
        terms = query.terms.filter { $0.kind != .phrase([]) }
        for fact in query.facts {
            let token = SearchFact(fact.kind).token
            if fact.isExcluded { excludedFacts.append(token) } else { facts.append(token) }
        }
        if let account = query.accountID { facts.append(SearchFact.author(account).token) }
    }

    /// The same with another condition.
    func having(any facts: [SearchFact]) -> SearchExpression {
        var expression = self
        expression.anyFact = facts.map(\.token)
        return expression
    }

    /// The terms that a status must contain.
    var included: [StatusQuery.Term.Kind] { terms.filter { !$0.isExcluded }.map(\.kind) }
    var excluded: [StatusQuery.Term.Kind] { terms.filter(\.isExcluded).map(\.kind) }
    /// Whether the index finds statuses with it; otherwise, it only excludes some.
    var selects: Bool { !included.isEmpty || !facts.isEmpty || anyFact != nil }
    var excludes: Bool { !excluded.isEmpty || !excludedFacts.isEmpty }
    /// Whether no status can meet it.
    var isImpossible: Bool { anyFact?.isEmpty == true }
}

/// The part of the search index that a query reads, and how much of it.
package struct SearchRange: Sendable {
    /// Which of the two indexes.
    let isRestricted: Bool
    /// Only larger ids.
    let above: Int64
    /// Only smaller ids.
    var below: Int64
    /// The number of hits.
    let limit: Int
}

/// The newest hits in a ``SearchRange``.
package struct SearchHits: Sendable {
    /// The ids of statuses, newest first.
    var ids: [Int64]
    /// The id below which hits remain unread; `nil` at the end.
    var end: Int64?
}

/// The full-text index of an engine. A status is in one of two indexes, see ``SearchDocument/isRestricted``.
package protocol FullTextIndex {
    /// Indexes a new status.
    func add(_ document: SearchDocument, in db: Database) throws
    /// Indexes a status, replacing what was indexed of it before.
    func put(_ document: SearchDocument, in db: Database) throws
    /// Removes those of the statuses that are indexed.
    func remove(_ ids: [Int64], in db: Database) throws
    /// Moves those of the statuses that are in the other index.
    func move(_ ids: [Int64], toRestricted isRestricted: Bool, in db: Database) throws
    /// Removes all statuses.
    func removeAll(in db: Database) throws
    /// The newest hits. At most ``SearchRange/limit`` are read, or as many statuses if the expression only excludes.
    func hits(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits
    /// Removes some of what is left of deleted words.
    /// - Returns: Whether more may be left.
    func merge(in db: Database) throws -> Bool
}
