import FeedAPI
import FeedCore

/// Full-text search with `tsvector` and GIN. The tokens are ours: `to_tsvector` would divide the text in its own way.
struct PostgresFullText: FullTextIndex {
    /// The maximum number of hits per query. GIN finds hits in no order, so that the newest of more hits than these are
    /// only found by reading the newest statuses.
    var maximumHits = 20_000
    /// The number of statuses that are read before all hits are counted: enough for a word that is frequent.
    var newest = 2_000

    func add(_ document: SearchDocument, in db: Database) throws { try put(document, in: db) }

    func put(_ document: SearchDocument, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO status_search (status_id, is_restricted, tokens, version)
                VALUES (?, ?, CAST(? AS TSVECTOR), ?)
                ON CONFLICT (status_id) DO UPDATE SET is_restricted = excluded.is_restricted,
                tokens = excluded.tokens, version = excluded.version
                """
        ).execute(arguments: [
            document.id, document.isRestricted, Self.vector(document), SearchText.version,
        ])
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

    func removeAll(in db: Database) throws { try db.execute(sql: "DELETE FROM status_search") }

    /// Nothing to do: autovacuum removes deleted rows.
    func merge(in db: Database) throws -> Bool { false }
}

extension PostgresFullText {
    func hits(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits {
        guard expression.selects else { return try rest(of: expression, in: range, in: db) }
        var near = try hits(of: expression, in: range, rows: newest, in: db)
        guard let end = near.end, near.ids.count < range.limit else { return near }
        var older = range
        older.below = end
        let counted = try all(of: expression, in: older, in: db)
        let far = try counted ?? hits(of: expression, in: older, rows: maximumHits, in: db)
        near.ids += far.ids
        near.end = far.end
        return near
    }

    /// The newest hits among the newest statuses.
    private func hits(
        of expression: SearchExpression, in range: SearchRange, rows: Int, in db: Database
    ) throws -> SearchHits {
        let part: SQL = "\(Self.rows(of: range)) ORDER BY status_id DESC LIMIT 1 OFFSET \(rows)"
        let edge = try Int64.fetchOne(db, "SELECT status_id FROM status_search WHERE \(part)")
        let ids = try Int64.fetchAll(
            db,
            """
            SELECT status_id FROM status_search WHERE \(Self.rows(of: range)) AND status_id > \(edge ?? range.above)
            AND tokens @@ CAST(\(Self.query(expression)) AS TSQUERY) ORDER BY status_id DESC LIMIT \(range.limit)
            """)
        if ids.count == range.limit { return SearchHits(ids: ids, end: ids.last) }
        return SearchHits(ids: ids, end: edge.map { $0 + 1 })
    }

    /// The newest hits of all. The limit is a literal, and the bounds are expressions, so that the planner chooses the
    /// index of the tokens.
    /// - Returns: `nil` if there are more than ``maximumHits``.
    private func all(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits? {
        let rows = try db.fetchAll(
            """
            WITH hit AS MATERIALIZED (SELECT status_id FROM status_search
                WHERE is_restricted = \(sql: range.isRestricted ? "1" : "0")
                AND tokens @@ CAST(\(Self.query(expression)) AS TSQUERY)
                AND status_id + 0 > \(range.above) AND status_id + 0 < \(range.below)
                LIMIT \(sql: String(maximumHits + 1)))
            SELECT status_id, (SELECT count(*) FROM hit) FROM hit ORDER BY status_id DESC LIMIT \(range.limit)
            """)
        guard rows.first.map({ ($0[1] as Int) <= maximumHits }) ?? true else { return nil }
        let ids = rows.map { $0[0] as Int64 }
        return SearchHits(ids: ids, end: ids.count == range.limit ? ids.last : nil)
    }

    /// The newest statuses that the expression does not exclude.
    private func rest(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits {
        let isExcluded: SQL =
            expression.excludes ? "tokens @@ CAST(\(Self.excluded(expression)) AS TSQUERY)" : "false"
        let rows = try db.fetchAll(
            """
            SELECT status_id, \(isExcluded) FROM status_search WHERE \(Self.rows(of: range))
            ORDER BY status_id DESC LIMIT \(range.limit)
            """
        ).map { (id: $0[0] as Int64, isExcluded: $0[1] as Bool) }
        return SearchHits(
            ids: rows.filter { !$0.isExcluded }.map(\.id), end: rows.count == range.limit ? rows.last?.id : nil)
    }

    /// The condition as in the partial indexes.
    private static func rows(of range: SearchRange) -> SQL {
        """
        is_restricted = \(sql: range.isRestricted ? "1" : "0") AND status_id > \(range.above)
        AND status_id < \(range.below)
        """
    }
}

extension PostgresFullText {
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

    private static func words(_ term: StatusQuery.Term.Kind) -> String {
        switch term {
        case .word(let token): quoted(token)
        case .prefix(let token): quoted(token) + ":*"
        case .phrase(let tokens): "(" + tokens.map(quoted).joined(separator: " <-> ") + ")"
        }
    }
}
