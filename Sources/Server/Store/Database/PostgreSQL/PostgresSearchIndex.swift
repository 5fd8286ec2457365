import FeedAPI
import FeedCore

/// Full-text search with `tsvector` and GIN. The tokens are ours: `to_tsvector` would divide the text in its own way.
struct PostgresSearchIndex: SearchIndex {
    /// The maximum number of hits, or of statuses, that a statement reads. GIN finds hits in no order, so that the
    /// newest of more hits than these are only found by reading the newest statuses.
    var maximumHits = 20_000
    /// The number of statuses that tell whether a word is frequent: then reading the newest statuses takes less time
    /// than reading all hits.
    var sample = 250
    /// A word is frequent if it is in more than one of so many statuses.
    var frequency = 100

    func add(_ document: SearchDocument, in db: Database) throws { try put(document, in: db) }

    func put(_ document: SearchDocument, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO status_search (status_id, is_restricted, tokens, version)
            VALUES (\(document.id), \(document.isRestricted), CAST(\(Self.vector(document)) AS TSVECTOR),
            \(SearchTokenizer.version))
            ON CONFLICT (status_id) DO UPDATE SET is_restricted = excluded.is_restricted,
            tokens = excluded.tokens, version = excluded.version
            """)
    }

    func remove(_ ids: [Int64], in db: Database) throws {
        guard !ids.isEmpty else { return }
        try db.execute("DELETE FROM status_search WHERE status_id IN (\(ids: ids))")
    }

    func move(_ ids: [Int64], toRestricted isRestricted: Bool, in db: Database) throws {
        guard !ids.isEmpty else { return }
        try db.execute(
            """
            UPDATE status_search SET is_restricted = \(isRestricted)
            WHERE status_id IN (\(ids: ids)) AND is_restricted <> \(isRestricted)
            """)
    }

    func removeAll(in db: Database) throws { try db.execute("DELETE FROM status_search") }

    /// Nothing to do: autovacuum removes deleted rows.
    func beginMerge(in db: Database) throws {}
    func continueMerge(in db: Database) throws -> Bool { false }
}

extension PostgresSearchIndex {
    func hits(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits {
        let isHit = Self.condition(expression)
        guard expression.selects else { return try newest(range.limit, where: isHit, in: range, in: db) }
        // A search may take more than a hundred of these steps if an old word is missing in newer statuses.
        if range.isDense { return try newest(max(1, maximumHits / 4), where: isHit, in: range, in: db) }
        var hits = try newest(sample, where: isHit, in: range, in: db)
        if hits.ids.count * frequency > sample, let rest = range.remainder(after: hits) {
            hits.append(try newest(frequency * rest.limit, where: isHit, in: rest, in: db))
        }
        guard let rest = range.remainder(after: hits) else { return hits }
        let others = try all(where: isHit, in: rest, in: db)
        hits.append(try others ?? newest(maximumHits, where: isHit, in: rest, in: db))
        hits.isDense = others == nil
        return hits
    }

    /// The hits among the newest statuses. With a comparison of pairs, the planner chooses the index of both columns.
    /// - Parameter count: The number of statuses.
    private func newest(_ count: Int, where isHit: SQL, in range: SearchRange, in db: Database) throws -> SearchHits {
        let index = SQL(sql: range.isRestricted ? "1" : "0")
        let rows = try db.fetchAll(
            """
            SELECT status_id, is_hit, number = \(count) FROM (
                SELECT is_restricted, status_id, \(isHit) AS is_hit,
                row_number() OVER (ORDER BY is_restricted DESC, status_id DESC) AS number
                FROM status_search WHERE (is_restricted, status_id) > (\(index), \(range.above))
                AND (is_restricted, status_id) < (\(index), \(range.below))
                ORDER BY is_restricted DESC, status_id DESC LIMIT \(count)) newest
            WHERE is_hit OR number = \(count)
            ORDER BY is_restricted DESC, status_id DESC LIMIT \(range.limit)
            """
        ).map { try (id: $0[0] as Int64, isHit: $0[1] as Bool, isLast: $0[2] as Bool) }
        let isPart = rows.count == range.limit || rows.last?.isLast == true
        return SearchHits(ids: rows.filter(\.isHit).map(\.id), end: isPart ? rows.last?.id : nil)
    }

    /// The newest hits of all. The limit is a literal, and the range is outside of it, so that the planner chooses the
    /// index of the tokens, and so that a word which is frequent elsewhere does not cost more.
    /// - Returns: `nil` if there are more than ``maximumHits``, in the range or not.
    private func all(where isHit: SQL, in range: SearchRange, in db: Database) throws -> SearchHits? {
        let rows = try db.fetchAll(
            """
            WITH hit AS MATERIALIZED (SELECT status_id FROM status_search
                WHERE is_restricted = \(sql: range.isRestricted ? "1" : "0") AND \(isHit)
                LIMIT \(sql: String(maximumHits + 1)))
            SELECT newest.status_id, total.hits FROM (SELECT count(*) AS hits FROM hit) total
            LEFT JOIN (SELECT status_id FROM hit WHERE status_id > \(range.above) AND status_id < \(range.below)
                ORDER BY status_id DESC LIMIT \(range.limit)) newest ON true
            ORDER BY newest.status_id DESC
            """)
        guard try rows.first.map({ try ($0[1] as Int) <= maximumHits }) ?? true else { return nil }
        let ids = try rows.compactMap { try $0[0] as Int64? }
        return SearchHits(ids: ids, end: ids.count == range.limit ? ids.last : nil)
    }
}

extension PostgresSearchIndex {
    /// Tokens of facts begin with a character that no word contains.
    private static func fact(_ token: String) -> String { quoted("=" + token) }

    /// Tokens contain neither quotes nor backslashes, but the index does not depend on that.
    private static func quoted(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\") }) else {
            return "'" + token + "'"
        }
        return quoted(String(String.UnicodeScalarView(token.unicodeScalars.filter { $0 != "'" && $0 != "\\" })))
    }

    /// A `tsvector` as text.
    private static func vector(_ document: SearchDocument) -> String {
        let words = document.words.enumerated().filter { $0.element != SearchDocument.gap }
            .map { quoted($0.element) + ":\($0.offset + 1)" }
        return (words + document.facts.map(fact)).joined(separator: " ")
    }

    /// Whether a row meets the expression. PostgreSQL converts the text of a subquery only once, not for each row.
    private static func condition(_ expression: SearchExpression) -> SQL {
        if expression.selects { return "tokens @@ (SELECT CAST(\(query(expression)) AS TSQUERY))" }
        return expression.excludes ? "NOT tokens @@ (SELECT CAST(\(excluded(expression)) AS TSQUERY))" : "true"
    }

    /// A `tsquery` as text.
    private static func query(_ expression: SearchExpression) -> String {
        var parts = expression.included.map(words) + expression.facts.map(fact)
        if let any = expression.anyFact { parts.append("(" + any.map(fact).joined(separator: " | ") + ")") }
        if expression.excludes { parts.append("!" + excluded(expression)) }
        return parts.joined(separator: " & ")
    }

    private static func excluded(_ expression: SearchExpression) -> String {
        "(" + (expression.excluded.map(words) + expression.excludedFacts.map(fact)).joined(separator: " | ") + ")"
    }

    private static func words(_ term: ResolvedSearch.Term.Kind) -> String {
        switch term {
        case .word(let token): quoted(token)
        case .prefix(let token): quoted(token) + ":*"
        case .phrase(let tokens): "(" + tokens.map(quoted).joined(separator: " <-> ") + ")"
        }
    }
}
