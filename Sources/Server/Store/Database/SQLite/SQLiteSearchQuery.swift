import FeedAPI
import FeedCore

/// A search in a ``SQLiteSearchIndex``: FTS5 finds older statuses, and recent ones are compared one by one.
struct SQLiteSearchQuery {
    let expression: SearchExpression
    let range: SearchRange
    /// The number from which on statuses are not in FTS5.
    let firstRecent: Int64

    func hits(in db: Database) throws -> SearchHits {
        guard expression.selects else { return try newest(in: db) }
        var ids = try recentHits(in: db)
        if ids.count < range.limit { ids += try olderHits(limit: range.limit - ids.count, in: db) }
        return SearchHits(ids: ids, end: ids.count == range.limit ? ids.last : nil)
    }

    private func recentHits(in db: Database) throws -> [Int64] {
        let matcher = SearchMatcher(expression)
        // The plus keeps SQLite from reading all rows of the index on this column.
        let rows = try db.fetchAll(
            """
            SELECT status_id, words, facts FROM status_search WHERE number >= \(firstRecent)
            AND +is_restricted = \(range.isRestricted) AND \(isInRange("number")) ORDER BY number DESC
            """)
        var ids: [Int64] = []
        for row in rows {
            if try matcher.matches(words: row[1], facts: row[2]) { ids.append(try row[0]) }
            if ids.count == range.limit { break }
        }
        return ids
    }

    private func olderHits(limit: Int, in db: Database) throws -> [Int64] {
        let table = SQL(sql: SQLiteSearchIndex.table(isRestricted: range.isRestricted))
        return try db.fetchAll(
            """
            SELECT w.status_id FROM \(table) CROSS JOIN status_search w ON w.number = \(table).rowid
            WHERE \(table) MATCH \(match) AND \(isInRange("\(table).rowid"))
            ORDER BY \(table).rowid DESC LIMIT \(limit)
            """, as: Int64.self)
    }

    /// Whether a number is between those of the statuses at the ends of the range.
    private func isInRange(_ number: SQL) -> SQL {
        let edge: SQL = "SELECT number FROM status_search WHERE is_restricted = \(sql: range.isRestricted ? 1 : 0)"
        return """
            \(number) > coalesce((\(edge) AND status_id <= \(range.above) ORDER BY status_id DESC LIMIT 1), \(Int64.min))
            AND \(number) < coalesce((\(edge) AND status_id >= \(range.below) ORDER BY status_id LIMIT 1), \(Int64.max))
            """
    }

    /// The newest statuses that the expression does not exclude.
    private func newest(in db: Database) throws -> SearchHits {
        let matcher = SearchMatcher(expression)
        let rows = try db.fetchAll(
            """
            SELECT status_id, words, facts FROM status_search
            WHERE is_restricted = \(sql: range.isRestricted ? 1 : 0) AND status_id > \(range.above)
            AND status_id < \(range.below) ORDER BY status_id DESC LIMIT \(range.limit)
            """)
        let ids = try rows.filter { try matcher.matches(words: $0[1], facts: $0[2]) }.map { try $0[0] as Int64 }
        return SearchHits(ids: ids, end: rows.count == range.limit ? try rows.last.map { try $0[0] as Int64 } : nil)
    }
}

extension SQLiteSearchQuery {
    /// The expression in the language of FTS5.
    private var match: String {
        var parts = expression.included.map(Self.words) + expression.facts.map(Self.fact)
        if let any = expression.anyFact { parts.append("(" + any.map(Self.fact).joined(separator: " OR ") + ")") }
        let included = "(" + parts.joined(separator: " AND ") + ")"
        let excluded = expression.excluded.map(Self.words) + expression.excludedFacts.map(Self.fact)
        return excluded.isEmpty ? included : included + " NOT (" + excluded.joined(separator: " OR ") + ")"
    }

    private static func fact(_ token: String) -> String { "facts : " + quoted(token) }

    private static func words(_ term: ResolvedSearch.Term.Kind) -> String {
        switch term {
        case .word(let token): "words : " + quoted(token)
        case .prefix(let token): "words : " + quoted(token) + " *"
        case .phrase(let tokens): "words : (" + tokens.map(quoted).joined(separator: " + ") + ")"
        }
    }

    /// Tokens contain no quotes, but the index does not depend on that.
    private static func quoted(_ token: String) -> String {
        "\"" + String(String.UnicodeScalarView(token.unicodeScalars.filter { $0 != "\"" && $0 != "\0" })) + "\""
    }
}

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
