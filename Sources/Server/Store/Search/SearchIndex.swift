import FeedAPI
import FeedCore

/// The full-text index of an engine. A status is in one of two indexes, see ``SearchDocument/isRestricted``.
package protocol SearchIndex {
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
    /// Begins to remove what is left of deleted words.
    func beginMerge(in db: Database) throws
    /// Removes some more of it.
    /// - Returns: Whether more may be left.
    func continueMerge(in db: Database) throws -> Bool
}

/// The part of the search index that a query reads, and how much of it.
package struct SearchRange: Sendable {
    /// The one of the two indexes that this is.
    let isRestricted: Bool
    /// Only larger ids.
    let above: Int64
    /// Only smaller ids.
    let below: Int64
    /// The number of hits.
    let limit: Int
    /// Whether a range above had ``SearchHits/isDense``. An index without order then reads the newest statuses instead of
    /// all hits.
    var isDense = false

    /// The part of the range that is still to be searched; `nil` if there are enough hits, or if all has been searched.
    func remainder(after hits: SearchHits) -> SearchRange? {
        guard let end = hits.end, hits.ids.count < limit else { return nil }
        return SearchRange(isRestricted: isRestricted, above: above, below: end, limit: limit - hits.ids.count)
    }
}

/// The newest hits in a ``SearchRange``.
package struct SearchHits: Sendable {
    /// The ids of statuses, newest first.
    var ids: [Int64]
    /// The id below which hits remain unread; `nil` at the end.
    var end: Int64?
    /// Whether there are more hits, in the range or not, than an index without order can read.
    var isDense = false

    /// Adds the hits in the range below.
    mutating func append(_ older: SearchHits) {
        ids += older.ids
        end = older.end
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
