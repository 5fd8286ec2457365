import FeedAPI
import FeedCore

/// Full-text search with FTS5. The tokens are in the table `status_search`, and the indexes have them as external
/// content: a change needs the tokens that were indexed before.
struct SQLiteFullText: FullTextIndex {
    /// The number of pages that a merge writes per transaction.
    private static let mergePages = 100

    let pending: PendingDocuments

    static let tables = [table(isRestricted: false), table(isRestricted: true)]

    private static func table(isRestricted: Bool) -> String { isRestricted ? "restricted_fts" : "status_fts" }

    struct Stored: Equatable {
        let isRestricted: Bool
        let words: String
        let facts: String

        init(isRestricted: Bool, words: String, facts: String) {
            (self.isRestricted, self.words, self.facts) = (isRestricted, words, facts)
        }

        init(_ document: SearchDocument) {
            self.init(
                isRestricted: document.isRestricted, words: document.words.joined(separator: " "),
                facts: document.facts.joined(separator: " "))
        }

        /// Compares bytes, because two forms of a text are equal strings.
        static func == (a: Self, b: Self) -> Bool {
            a.isRestricted == b.isRestricted && a.words.utf8.elementsEqual(b.words.utf8)
                && a.facts.utf8.elementsEqual(b.facts.utf8)
        }
    }

    func add(_ document: SearchDocument, in db: Database) throws {
        let new = Stored(document)
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO status_search (status_id, is_restricted, words, facts, version) VALUES (?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [document.id, new.isRestricted, new.words, new.facts, SearchText.version])
        pending.add(document.id, new)
    }

    /// Adds the new documents of the transaction to the index.
    func addPending(in db: Database) throws {
        for (id, row) in pending.take() { try insert(id, row, in: db) }
    }

    func put(_ document: SearchDocument, in db: Database) throws {
        let new = Stored(document)
        let old = try stored(document.id, in: db)
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO status_search (status_id, is_restricted, words, facts, version) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (status_id) DO UPDATE SET is_restricted = excluded.is_restricted, words = excluded.words,
                facts = excluded.facts, version = excluded.version
                """)
        try statement.execute(arguments: [document.id, new.isRestricted, new.words, new.facts, SearchText.version])
        guard old != new else { return }
        if let old { try delete(document.id, old, in: db) }
        try insert(document.id, new, in: db)
    }

    func remove(_ ids: [Int64], in db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM status_search WHERE status_id = ?")
        for id in ids {
            guard let old = try stored(id, in: db) else { continue }
            try delete(id, old, in: db)
            try statement.execute(arguments: [id])
        }
    }

    func move(_ ids: [Int64], toRestricted isRestricted: Bool, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "UPDATE status_search SET is_restricted = ? WHERE status_id = ?")
        for id in ids {
            guard let old = try stored(id, in: db), old.isRestricted != isRestricted else { continue }
            try delete(id, old, in: db)
            try statement.execute(arguments: [isRestricted, id])
            try insert(id, Stored(isRestricted: isRestricted, words: old.words, facts: old.facts), in: db)
        }
    }

    func removeAll(in db: Database) throws {
        for table in Self.tables { try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('delete-all')") }
        try db.execute(sql: "DELETE FROM status_search")
    }

    /// A negative number of pages lets FTS5 merge all segments of an index into one, over several calls.
    func merge(in db: Database) throws -> Bool {
        let changes = try db.cachedStatement(sql: "SELECT total_changes()")
        for table in Self.tables {
            let before = try Int.fetchOne(changes) ?? 0
            try db.cachedStatement(sql: "INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)")
                .execute(arguments: [-Self.mergePages])
            // The statement itself counts as one change.
            if try Int.fetchOne(changes) ?? 0 > before + 1 { return true }
        }
        return false
    }

    private func stored(_ id: Int64, in db: Database) throws -> Stored? {
        let statement = try db.cachedStatement(
            sql: "SELECT is_restricted, words, facts FROM status_search WHERE status_id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map {
            Stored(isRestricted: $0[0], words: $0[1], facts: $0[2])
        }
    }

    private func insert(_ id: Int64, _ row: Stored, in db: Database) throws {
        let table = Self.table(isRestricted: row.isRestricted)
        try db.cachedStatement(sql: "INSERT INTO \(table) (rowid, words, facts) VALUES (?, ?, ?)")
            .execute(arguments: [id, row.words, row.facts])
    }

    private func delete(_ id: Int64, _ row: Stored, in db: Database) throws {
        try addPending(in: db)
        let table = Self.table(isRestricted: row.isRestricted)
        try db.cachedStatement(sql: "INSERT INTO \(table) (\(table), rowid, words, facts) VALUES ('delete', ?, ?, ?)")
            .execute(arguments: [id, row.words, row.facts])
    }
}

extension SQLiteFullText {
    func hits(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits {
        guard expression.selects else { return try rest(of: expression, in: range, in: db) }
        let table = SQL(sql: Self.table(isRestricted: range.isRestricted))
        let ids = try Int64.fetchAll(
            db,
            """
            SELECT rowid FROM \(table) WHERE \(table) MATCH \(Self.match(expression)) AND rowid > \(range.above)
            AND rowid < \(range.below) ORDER BY rowid DESC LIMIT \(range.limit)
            """)
        return SearchHits(ids: ids, end: ids.count == range.limit ? ids.last : nil)
    }

    /// The newest statuses that the expression does not exclude.
    private func rest(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits {
        let table = SQL(sql: Self.table(isRestricted: range.isRestricted))
        let isExcluded: SQL =
            expression.excludes
            ? "EXISTS (SELECT 1 FROM \(table) WHERE \(table) MATCH \(Self.excluded(expression)) AND rowid = w.status_id)"
            : "0"
        let rows = try db.fetchAll(
            """
            SELECT w.status_id, \(isExcluded) FROM (SELECT status_id FROM status_search
                WHERE is_restricted = \(sql: range.isRestricted ? "1" : "0") AND status_id > \(range.above)
                AND status_id < \(range.below) ORDER BY status_id DESC LIMIT \(range.limit)) w
            ORDER BY w.status_id DESC
            """
        ).map { (id: $0[0] as Int64, isExcluded: $0[1] as Bool) }
        return SearchHits(
            ids: rows.filter { !$0.isExcluded }.map(\.id), end: rows.count == range.limit ? rows.last?.id : nil)
    }

    /// The expression in the language of FTS5.
    private static func match(_ expression: SearchExpression) -> String {
        var parts = expression.included.map(words) + expression.facts.map(fact)
        if let any = expression.anyFact { parts.append("(" + any.map(fact).joined(separator: " OR ") + ")") }
        let included = "(" + parts.joined(separator: " AND ") + ")"
        return expression.excludes ? included + " NOT " + excluded(expression) : included
    }

    private static func excluded(_ expression: SearchExpression) -> String {
        "(" + (expression.excluded.map(words) + expression.excludedFacts.map(fact)).joined(separator: " OR ") + ")"
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

/// New documents of a transaction that have yet to be added to the index. FTS5 writes a part of the index at each
/// savepoint, of which every job of a ``GroupCommit`` has one; adding all documents before the commit takes half the
/// time.
final class PendingDocuments {
    private var documents: [(id: Int64, row: SQLiteFullText.Stored)] = []

    func add(_ id: Int64, _ row: SQLiteFullText.Stored) { documents.append((id, row)) }

    func take() -> [(id: Int64, row: SQLiteFullText.Stored)] {
        defer { documents = [] }
        return documents
    }

    /// Runs `body`, and forgets its documents if it throws.
    func keepingIfDone(_ body: () throws -> Void) throws {
        let before = documents
        do {
            try body()
        } catch {
            documents = before
            throw error
        }
    }
}
