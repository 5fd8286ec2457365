package import FeedAPI
package import FeedCore

/// A search for statuses: reads the hits of both indexes, newest first, some per step, and leaves out those that the
/// viewer may not see or does not want, until there are enough.
///
/// Everyone finds public and unlisted statuses of accounts that agree to it (``Account/Privacy/indexable``). All others
/// are found by their author, by the accounts that they mention, and by those followers of the author who may see them.
struct StatusSearch: Sendable {
    /// The largest number of transactions per search, and of steps in each of them.
    static let maximumReads = 44
    static let maximumSteps = 3
    /// The largest number of hits that a step reads and judges.
    static let maximumHits = 100
    /// The largest offset and the largest limit.
    static let maximumMatches = 10_000
    /// The largest number of followed accounts whose statuses the index finds.
    static let maximumAuthors = 64
    /// The number of restricted hits that are read of accounts that follow more.
    static let maximumOthers = 500

    /// Hits of one of the indexes.
    private struct Part: Sendable {
        let isRestricted: Bool
        let expression: SearchExpression
        /// The id below which hits remain unread.
        var below = Int64.max
        /// The number of hits that may still be read.
        var budget = Int.max
        /// As in ``SearchRange``.
        var isDense = false
    }

    /// Those of which hits remain unread.
    private var parts: [Part]
    private let condition: SQL
    private let above: Int64
    /// The number of the newest matches that the page leaves out.
    private let offset: Int
    /// The maximum number of matches on the page.
    private let size: Int
    /// The number of hits that the next query reads.
    private var limit: Int
    /// Hits that have been read and not judged yet.
    private var waiting: Set<Int64> = []
    /// The matching statuses, newest first.
    private(set) var matches: [Int64] = []
    /// The id at which the page ends, and the next one begins, although it is not full.
    private var earlyEnd: Int64?
    /// Whether statuses may have been missing in the index in one of the transactions, or hits were left out.
    private(set) var isIncomplete = false

    /// - Parameter now: Milliseconds since 1970.
    init(_ query: ResolvedSearch, viewer: Int64?, now: Int64, in db: Database) throws {
        let below = min(query.maxID ?? .max, query.before.map(Self.firstID) ?? .max)
        parts = try Self.parts(SearchExpression(query), query, viewer: viewer, in: db)
            .filter { !$0.expression.isImpossible }
        for index in parts.indices { parts[index].below = below }
        condition = Self.condition(query, viewer: viewer, now: now)
        above = max(query.minID ?? .min, query.after.map { Self.firstID(at: $0) - 1 } ?? .min)
        offset = min(max(0, query.offset), Self.maximumMatches)
        size = min(max(0, query.limit), Self.maximumMatches)
        limit = min(offset + size + 10, Self.maximumHits)
    }

    /// The first id of a status that was created at a time.
    private static func firstID(at time: Int64) -> Int64 { min(max(0, time), .max >> 16) << 16 }

    private static func parts(
        _ expression: SearchExpression, _ query: ResolvedSearch, viewer: Int64?, in db: Database
    ) throws -> [Part] {
        guard let viewer else {
            return query.following ? [] : [Part(isRestricted: false, expression: expression)]
        }
        let followed = try authors(followedBy: viewer, in: db).map(SearchFact.author)
        let own: [SearchFact] = query.following ? [] : [.author(viewer), .mentioned(viewer)]
        if followed.count <= maximumAuthors {
            let restricted = Part(isRestricted: true, expression: expression.having(any: own + followed))
            let open = query.following ? expression.having(any: followed) : expression
            return [Part(isRestricted: false, expression: open), restricted]
        }
        return [
            Part(isRestricted: false, expression: expression),
            Part(isRestricted: true, expression: expression.having(any: own)),
            Part(isRestricted: true, expression: expression, budget: maximumOthers),
        ]
    }

    /// One more than ``maximumAuthors`` if there are more.
    private static func authors(followedBy viewer: Int64, in db: Database) throws -> [Int64] {
        try db.fetchAll(
            """
            SELECT f.followee_id FROM follow f WHERE f.follower_id = \(viewer) AND \(StatusVisibility.published("f"))
            ORDER BY f.followee_id LIMIT \(maximumAuthors + 1)
            """, as: Int64.self)
    }

    /// The statuses `e` by `ea` that are found, in either index.
    private static func condition(_ query: ResolvedSearch, viewer: Int64?, now: Int64) -> SQL {
        let seen: SQL = """
            \(StatusVisibility.rule("e", author: "ea", viewer: viewer))
            AND \(StatusVisibility.listCondition(viewer: viewer, now: now))
            """
        let isOpen: SQL = "e.visibility <= 1 AND (ea.privacy & \(sql: "\(Account.Privacy.indexable.rawValue)")) <> 0"
        guard let viewer else { return "\(seen) AND \(isOpen)" }
        let follows = StatusVisibility.follows(viewer, "e.account_id")
        if query.following { return "\(seen) AND \(follows)" }
        return """
            \(seen) AND ((\(isOpen)) OR e.account_id = \(viewer) OR \(follows)
                OR EXISTS (SELECT 1 FROM mention n WHERE n.account_id = \(viewer) AND n.status_id = e.id))
            """
    }

    /// Whether there may be more matches that are needed: those of the page, and one that shows that another one follows.
    var needsMore: Bool { matches.count <= offset + size && !(parts.isEmpty && waiting.isEmpty) }

    /// The matches of the page, and the id below which the next page begins; `nil` if there is none.
    var page: (ids: [Int64], older: Int64?) {
        let found = matches.dropFirst(offset)
        let ids = Array(found.prefix(size))
        return (ids, found.count > size ? ids.last : earlyEnd ?? unjudgedEnd)
    }

    /// The id below which the hits are that a search has not judged because it has ended too early; `nil` if there are
    /// none, or if the next page would have to leave out some of them.
    private var unjudgedEnd: Int64? {
        guard needsMore, matches.count >= offset else { return nil }
        return complete.max().map { $0 + 1 } ?? parts.map(\.below).max()
    }

    /// Judges the newest hits, after one query for more of them if necessary.
    mutating func step(in db: Database) throws {
        if complete.isEmpty { try readMore(in: db) }
        let newest = Array(complete.sorted(by: >).prefix(Self.maximumHits))
        guard !newest.isEmpty else { return }
        waiting.subtract(newest)
        let visible = try Set(db.fetchAll(visible(newest), as: Int64.self))
        matches += newest.filter(visible.contains)
    }

    /// The hits above those that remain unread.
    private var complete: Set<Int64> {
        let end = parts.map(\.below).max() ?? .min
        return waiting.filter { $0 >= end }
    }

    /// The search after some more steps.
    func continued(in db: Database) throws -> StatusSearch {
        var search = self
        search.isIncomplete = try isIncomplete || SearchIndexing.isIncomplete(in: db)
        for _ in 0..<Self.maximumSteps where search.needsMore { try search.step(in: db) }
        return search
    }

    /// Reads hits of the part that is behind the others, and none below the ends of these, because they would have to
    /// wait.
    private mutating func readMore(in db: Database) throws {
        guard let start = parts.map(\.below).max(), let end = parts.map(\.below).min() else { return }
        let behind = parts.indices.filter { parts[$0].below == start }
        if let index = behind.first(where: { parts[$0].budget <= 0 }) { return leave(index) }
        guard let index = behind.first else { return }
        let part = parts[index]
        let isLimited = end < part.below
        let range = SearchRange(
            isRestricted: part.isRestricted, above: isLimited ? end - 1 : above, below: part.below,
            limit: min(limit, part.budget), isDense: part.isDense)
        let hits = try db.connection.fullText.hits(of: part.expression, in: range, in: db)
        limit = min(2 * limit, Self.maximumHits)
        waiting.formUnion(hits.ids)
        parts[index].budget -= hits.ids.count
        parts[index].isDense = part.isDense || hits.isDense
        parts[index].below = hits.end ?? end
        if hits.end == nil && !isLimited { parts.remove(at: index) }
    }

    /// Ends the page where no more hits of a part may be read, so that the next page continues there. If the page is
    /// still empty, it continues without the part.
    private mutating func leave(_ index: Int) {
        isIncomplete = true
        let part = parts.remove(at: index)
        guard matches.count > offset else { return }
        (earlyEnd, parts, waiting) = (part.below, [], [])
    }

    private func visible(_ ids: [Int64]) -> SQL {
        """
        SELECT e.id FROM (SELECT value AS id FROM (\(ids: ids)) ids) w CROSS JOIN status e ON e.id = w.id
        CROSS JOIN account ea ON ea.id = e.account_id WHERE \(condition)
        """
    }
}

/// A search for statuses as it was requested: a query that names accounts, and the page of the result.
package struct StatusSearchRequest: Sendable {
    package var query: SearchQuery
    package var maxID: Int64?
    package var minID: Int64?
    /// Only statuses of this account.
    package var accountID: Int64?
    /// Only statuses of accounts that the viewer follows. Anonymous visitors follow nobody, and find the same without.
    package var following: Bool
    package var offset: Int

    package init(
        query: SearchQuery, maxID: Int64? = nil, minID: Int64? = nil, accountID: Int64? = nil,
        following: Bool = false, offset: Int = 0
    ) {
        self.query = query
        (self.maxID, self.minID, self.accountID) = (maxID, minID, accountID)
        (self.following, self.offset) = (following, offset)
    }

    /// The query without its facts.
    func resolved(limit: Int, viewer: Int64?) -> ResolvedSearch {
        ResolvedSearch(
            terms: query.terms, before: query.before, after: query.after, maxID: maxID, minID: minID,
            accountID: accountID, following: following && viewer != nil, limit: limit, offset: offset)
    }
}

/// A page of the statuses that a search finds, newest first.
package struct FoundStatuses: Sendable {
    package var statuses: [Status]
    /// The id below which the next page begins; `nil` if this is the last one.
    package var older: Int64?
    /// Whether there may be statuses that were not found: the index is being built, or too many hits were passed over.
    package var isIncomplete = false

    package init(_ statuses: [Status] = []) { self.statuses = statuses }
}

/// A search for statuses: a ``SearchQuery`` whose accounts have been looked up, and the page of the result.
struct ResolvedSearch: Sendable, Equatable {
    typealias Term = SearchQuery.Term

    /// A status must match all of them.
    var terms: [Term] = []
    /// A status must have all of them. That of a language includes its dialects.
    var facts: [SearchFact] = []
    /// A status must have none of them.
    var excludedFacts: [SearchFact] = []
    /// Only statuses created before this time, in milliseconds since 1970.
    var before: Int64?
    /// Only statuses created at this time or later, in milliseconds since 1970.
    var after: Int64?
    /// Only statuses with a lower id.
    var maxID: Int64?
    /// Only statuses with a higher id.
    var minID: Int64?
    /// Only statuses of this account.
    var accountID: Int64?
    /// Only statuses of accounts that the viewer follows.
    var following = false
    var limit = 20
    /// The number of the newest matches that are left out.
    var offset = 0
}
