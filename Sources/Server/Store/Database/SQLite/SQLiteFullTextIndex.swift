import FeedAPI
import FeedCore
import Foundation

/// Full-text search with FTS5. The tokens are in the table `status_search`, and the indexes have them as external
/// content: a change needs the tokens that were indexed before. The indexes contain numbers instead of ids, see
/// ``SearchNumber``.
///
/// Recent statuses are in `status_search` only, which a query reads in addition: FTS5 writes a part of the index in each
/// transaction, and merges parts again and again if they are small.
struct SQLiteFullTextIndex: FullTextIndex {
    /// The number of pages that a step of a merge writes to each of the indexes.
    var mergePages = 100
    /// The number of levels of an index after which it is built again. FTS5 takes an index of 2,000 for a damaged one.
    var maximumLevels = 1000

    /// The setting that contains the number from which on statuses are not in the indexes.
    private static let recentKey = "search_recent"
    /// The number of recent statuses after which all of them are added to the indexes.
    private static let maximumRecent: Int64 = 256

    static let tables = [table(isRestricted: false), table(isRestricted: true)]

    private static func table(isRestricted: Bool) -> String { isRestricted ? "restricted_fts" : "status_fts" }

    struct Stored {
        let number: Int64
        let isRestricted: Bool
        let words: String
        let facts: String

        init(number: Int64, isRestricted: Bool, words: String, facts: String) {
            (self.number, self.isRestricted, self.words, self.facts) = (number, isRestricted, words, facts)
        }

        init(_ document: SearchDocument, number: Int64) {
            self.init(
                number: number, isRestricted: document.isRestricted, words: document.words.joined(separator: " "),
                facts: document.facts.joined(separator: " "))
        }

        /// Compares bytes, because two forms of a text are equal strings.
        func isIndexed(as other: Self) -> Bool {
            isRestricted == other.isRestricted && words.utf8.elementsEqual(other.words.utf8)
                && facts.utf8.elementsEqual(other.facts.utf8)
        }
    }

    func add(_ document: SearchDocument, in db: Database) throws {
        let new = Stored(document, number: try number(for: document.id, in: db))
        try db.execute(
            """
            INSERT INTO status_search (number, status_id, is_restricted, words, facts, version)
            VALUES (\(new.number), \(document.id), \(new.isRestricted), \(new.words), \(new.facts), \(SearchText.version))
            """)
        try insert(new, in: db)
    }

    func put(_ document: SearchDocument, in db: Database) throws {
        guard let old = try stored(document.id, in: db) else { return try add(document, in: db) }
        let new = Stored(document, number: old.number)
        try db.execute(
            """
            UPDATE status_search SET is_restricted = \(new.isRestricted), words = \(new.words), facts = \(new.facts),
            version = \(SearchText.version) WHERE number = \(new.number)
            """)
        guard !new.isIndexed(as: old) else { return }
        try delete(old, in: db)
        try insert(new, in: db)
    }

    func remove(_ ids: [Int64], in db: Database) throws {
        for id in ids {
            guard let old = try stored(id, in: db) else { continue }
            try delete(old, in: db)
            try db.execute("DELETE FROM status_search WHERE number = \(old.number)")
        }
    }

    func move(_ ids: [Int64], toRestricted isRestricted: Bool, in db: Database) throws {
        for id in ids {
            guard let old = try stored(id, in: db), old.isRestricted != isRestricted else { continue }
            try delete(old, in: db)
            try db.execute("UPDATE status_search SET is_restricted = \(isRestricted) WHERE number = \(old.number)")
            try insert(
                Stored(number: old.number, isRestricted: isRestricted, words: old.words, facts: old.facts), in: db)
        }
    }

    func removeAll(in db: Database) throws {
        for table in Self.tables { try db.execute("INSERT INTO \(sql: table) (\(sql: table)) VALUES ('delete-all')") }
        try db.execute("DELETE FROM status_search")
        try db.execute("DELETE FROM meta WHERE key = \(Self.recentKey)")
    }

    private func stored(_ id: Int64, in db: Database) throws -> Stored? {
        let query: SQL = """
            SELECT number, is_restricted, words, facts FROM status_search
            WHERE is_restricted IN (0, 1) AND status_id = \(id)
            """
        return try db.fetchOne(query).map {
            Stored(number: try $0[0], isRestricted: try $0[1], words: try $0[2], facts: try $0[3])
        }
    }

    private func firstRecent(in db: Database) throws -> Int64 {
        let query: SQL = "SELECT CAST(value AS INTEGER) FROM meta WHERE key = \(Self.recentKey)"
        return try db.fetchOne(query, as: Int64.self) ?? SearchNumber.first
    }

    private func insert(_ row: Stored, in db: Database) throws {
        let firstRecent = try self.firstRecent(in: db)
        guard row.number < firstRecent else {
            if row.number >= SearchNumber.after(firstRecent, by: Self.maximumRecent) {
                try insertRecent(to: row.number, in: db)
            }
            return
        }
        let table = Self.table(isRestricted: row.isRestricted)
        try db.execute(
            "INSERT INTO \(sql: table) (rowid, words, facts) VALUES (\(row.number), \(row.words), \(row.facts))")
    }

    private func insertRecent(to last: Int64, in db: Database) throws {
        let first = try firstRecent(in: db)
        guard first <= last else { return }
        for isRestricted in [false, true] {
            try db.execute(
                """
                INSERT INTO \(sql: Self.table(isRestricted: isRestricted)) (rowid, words, facts)
                SELECT number, words, facts FROM status_search WHERE number BETWEEN \(first) AND \(last)
                AND +is_restricted = \(isRestricted) ORDER BY number
                """)
        }
        try FeedDatabase.setMeta(Self.recentKey, String(last &+ 1), in: db)
    }

    private func delete(_ row: Stored, in db: Database) throws {
        guard try row.number < firstRecent(in: db) else { return }
        let table = Self.table(isRestricted: row.isRestricted)
        try db.execute(
            """
            INSERT INTO \(sql: table) (\(sql: table), rowid, words, facts)
            VALUES ('delete', \(row.number), \(row.words), \(row.facts))
            """)
    }
}

extension SQLiteFullTextIndex {
    /// The number of a status that is not indexed.
    private func number(for id: Int64, in db: Database) throws -> Int64 {
        guard let newer = try Self.neighbour(of: id, isNewer: true, in: db) else { return try newestNumber(in: db) }
        guard let older = try Self.neighbour(of: id, isNewer: false, in: db) else { return SearchNumber.before(newer) }
        return try SearchNumber.between(older, newer) ?? makeRoom(for: id, below: newer, in: db)
    }

    /// The number of a status that is newer than all others. It is recent even if the newest ones have left the index.
    private func newestNumber(in db: Database) throws -> Int64 {
        let newest = try db.fetchOne("SELECT max(number) FROM status_search", as: Int64.self)
        return try max(newest.map { SearchNumber.after($0) } ?? SearchNumber.first, firstRecent(in: db))
    }

    /// The number of the next older or newer status.
    private static func neighbour(of id: Int64, isNewer: Bool, in db: Database) throws -> Int64? {
        let (nearest, comparison, order) = isNewer ? ("min", ">", "ASC") : ("max", "<", "DESC")
        func number(_ isRestricted: String) -> SQL {
            """
            SELECT * FROM (SELECT number FROM status_search WHERE is_restricted = \(sql: isRestricted)
                AND status_id \(sql: comparison) \(id) ORDER BY status_id \(sql: order) LIMIT 1)
            """
        }
        let query: SQL = "SELECT \(sql: nearest)(number) FROM (\(number("0")) UNION ALL \(number("1")))"
        return try db.fetchOne(query, as: Int64.self)
    }

    /// Removes older statuses, which ``SearchBuild`` adds again.
    /// - Parameter newer: The number of the next newer status.
    /// - Returns: The number of the status.
    private func makeRoom(for id: Int64, below newer: Int64, in db: Database) throws -> Int64 {
        while true {
            let ids = try db.fetchAll(
                """
                SELECT status_id FROM status_search WHERE number < \(newer)
                ORDER BY number DESC LIMIT \(SearchNumber.maximumRemoved)
                """, as: Int64.self)
            guard let newest = ids.first else { return SearchNumber.before(newer) }
            // Of changes in ascending order, FTS5 makes one segment.
            try remove(ids.reversed(), in: db)
            try SearchBuild.request(upTo: newest, in: db)
            let older = try Self.neighbour(of: id, isNewer: false, in: db)
            if let number = SearchNumber.afterRemoval(older, newer) { return number }
        }
    }
}

extension SQLiteFullTextIndex {
    /// Adds recent statuses to the indexes, and begins to merge all segments of an index into one, as a negative number
    /// of pages demands. Each such merge adds levels to the index, which it only loses when it becomes empty.
    func beginMerge(in db: Database) throws {
        for table in Self.tables where try Self.levels(of: table, in: db) > maximumLevels {
            return try SearchBuild.restart(in: db)
        }
        let newest = try db.fetchOne("SELECT max(number) FROM status_search", as: Int64.self)
        if let newest { try insertRecent(to: newest, in: db) }
        for table in Self.tables {
            // Otherwise, a merge of two segments would not continue.
            try Self.execute("usermerge", 2, on: table, in: db)
            try Self.execute("merge", -mergePages, on: table, in: db)
        }
    }

    /// A step that does not write all of its pages has completed the merge. It does not matter whether FTS5 could merge
    /// anything else, because others may write between any two steps.
    func continueMerge(in db: Database) throws -> Bool {
        let changes: SQL = "SELECT total_changes()"
        var isUnfinished = false
        for table in Self.tables {
            let before = try db.fetchOne(changes, as: Int.self) ?? 0
            try Self.execute("merge", mergePages, on: table, in: db)
            if try db.fetchOne(changes, as: Int.self) ?? 0 > before + mergePages { isUnfinished = true }
        }
        return isUnfinished
    }

    private static func execute(_ command: String, _ value: Int, on table: String, in db: Database) throws {
        try db.execute("INSERT INTO \(sql: table) (\(sql: table), rank) VALUES (\(command), \(value))")
    }

    /// The number that follows the first four bytes of the structure of an index.
    static func levels(of table: String, in db: Database) throws -> Int {
        let structure = try db.fetchOne("SELECT block FROM \(sql: table)_data WHERE id = 10", as: Data.self) ?? Data()
        var levels = 0
        for byte in structure.dropFirst(4).prefix(9) {
            levels = levels << 7 | Int(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return levels
    }
}

extension SQLiteFullTextIndex {
    func hits(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits {
        guard expression.selects else { return try rest(of: expression, in: range, in: db) }
        var ids = try recentHits(of: expression, in: range, in: db)
        if ids.count < range.limit {
            ids += try olderHits(of: expression, in: range, limit: range.limit - ids.count, in: db)
        }
        return SearchHits(ids: ids, end: ids.count == range.limit ? ids.last : nil)
    }

    private func recentHits(
        of expression: SearchExpression, in range: SearchRange, in db: Database
    ) throws -> [Int64] {
        let (matcher, first) = (SearchMatcher(expression), try firstRecent(in: db))
        // The plus keeps SQLite from reading all rows of the index on this column.
        let rows = try db.fetchAll(
            """
            SELECT status_id, words, facts FROM status_search WHERE number >= \(first)
            AND +is_restricted = \(range.isRestricted) AND \(Self.numbers(of: range, "number")) ORDER BY number DESC
            """)
        var ids: [Int64] = []
        for row in rows {
            if try matcher.matches(words: row[1], facts: row[2]) { ids.append(try row[0]) }
            if ids.count == range.limit { break }
        }
        return ids
    }

    private func olderHits(
        of expression: SearchExpression, in range: SearchRange, limit: Int, in db: Database
    ) throws -> [Int64] {
        let table = SQL(sql: Self.table(isRestricted: range.isRestricted))
        return try db.fetchAll(
            """
            SELECT w.status_id FROM \(table) CROSS JOIN status_search w ON w.number = \(table).rowid
            WHERE \(table) MATCH \(Self.match(expression)) AND \(Self.numbers(of: range, "\(table).rowid"))
            ORDER BY \(table).rowid DESC LIMIT \(limit)
            """, as: Int64.self)
    }

    /// The numbers between those of the statuses at the ends of a range.
    private static func numbers(of range: SearchRange, _ number: SQL) -> SQL {
        let edge: SQL = "SELECT number FROM status_search WHERE is_restricted = \(sql: range.isRestricted ? 1 : 0)"
        return """
            \(number) > coalesce((\(edge) AND status_id <= \(range.above) ORDER BY status_id DESC LIMIT 1), \(Int64.min))
            AND \(number) < coalesce((\(edge) AND status_id >= \(range.below) ORDER BY status_id LIMIT 1), \(Int64.max))
            """
    }

    /// The newest statuses that the expression does not exclude.
    private func rest(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits {
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

    /// The expression in the language of FTS5.
    private static func match(_ expression: SearchExpression) -> String {
        var parts = expression.included.map(words) + expression.facts.map(fact)
        if let any = expression.anyFact { parts.append("(" + any.map(fact).joined(separator: " OR ") + ")") }
        let included = "(" + parts.joined(separator: " AND ") + ")"
        let excluded = expression.excluded.map(words) + expression.excludedFacts.map(fact)
        return excluded.isEmpty ? included : included + " NOT (" + excluded.joined(separator: " OR ") + ")"
    }

    private static func fact(_ token: String) -> String { "facts : " + quoted(token) }

    private static func words(_ term: StatusQuery.Term.Kind) -> String {
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
