import FeedAPI
import FeedCore
import Foundation

/// Full-text search with FTS5. The tokens are in the table `status_search`, and the indexes have them as external
/// content: a change needs the tokens that were indexed before. The indexes contain numbers instead of ids, see
/// ``SearchNumber``.
///
/// Recent statuses are in `status_search` only, which a query reads, too: FTS5 would write a segment in each
/// transaction, and merge small segments again and again.
struct SQLiteSearchIndex: SearchIndex {
    /// The number of pages that a step of a merge writes to each of the indexes.
    var mergePages = 100
    /// The number of levels of an index after which it is built again. FTS5 takes an index of 2,000 for a damaged one.
    var maximumLevels = 1000

    /// The setting that contains the number from which on statuses are not in the indexes.
    private static let recentKey = "search_recent"
    /// The number of recent statuses after which all of them are added to the indexes.
    private static let maximumRecent: Int64 = 256

    static let tables = [table(isRestricted: false), table(isRestricted: true)]

    static func table(isRestricted: Bool) -> String { isRestricted ? "restricted_fts" : "status_fts" }

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
        let (number, firstRecent) = try place(of: document.id, in: db)
        let new = Stored(document, number: number)
        try db.execute(
            """
            INSERT INTO status_search (number, status_id, is_restricted, words, facts, version)
            VALUES (\(new.number), \(document.id), \(new.isRestricted), \(new.words), \(new.facts), \(SearchTokenizer.version))
            """)
        try insert(new, firstRecent: firstRecent, in: db)
    }

    func put(_ document: SearchDocument, in db: Database) throws {
        guard let old = try stored(document.id, in: db) else { return try add(document, in: db) }
        let new = Stored(document, number: old.number)
        try db.execute(
            """
            UPDATE status_search SET is_restricted = \(new.isRestricted), words = \(new.words), facts = \(new.facts),
            version = \(SearchTokenizer.version) WHERE number = \(new.number)
            """)
        guard !new.isIndexed(as: old) else { return }
        try delete(old, in: db)
        try insert(new, firstRecent: firstRecent(in: db), in: db)
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
                Stored(number: old.number, isRestricted: isRestricted, words: old.words, facts: old.facts),
                firstRecent: firstRecent(in: db), in: db)
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

    private static let firstRecent: SQL = "SELECT CAST(value AS INTEGER) FROM meta WHERE key = \(recentKey)"

    private func firstRecent(in db: Database) throws -> Int64 {
        try db.fetchOne(Self.firstRecent, as: Int64.self) ?? SearchNumber.first
    }

    private func insert(_ row: Stored, firstRecent: Int64, in db: Database) throws {
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

extension SQLiteSearchIndex {
    func hits(of expression: SearchExpression, in range: SearchRange, in db: Database) throws -> SearchHits {
        try SQLiteSearchQuery(expression: expression, range: range, firstRecent: firstRecent(in: db)).hits(in: db)
    }
}

extension SQLiteSearchIndex {
    /// The number of a status that is not indexed, and the first recent number. One that is newer than all others is
    /// recent even if the newest ones have left the index.
    private func place(of id: Int64, in db: Database) throws -> (number: Int64, firstRecent: Int64) {
        // All that a new status needs.
        let newest: SQL = """
            SELECT number, status_id, (\(Self.firstRecent)) FROM status_search ORDER BY number DESC LIMIT 1
            """
        guard let row = try db.fetchOne(newest) else {
            let firstRecent = try firstRecent(in: db)
            return (max(SearchNumber.first, firstRecent), firstRecent)
        }
        let firstRecent = try row[2] ?? SearchNumber.first
        guard try row[1] > id, let newer = try Self.neighbour(of: id, isNewer: true, in: db) else {
            return (try max(SearchNumber.after(row[0]), firstRecent), firstRecent)
        }
        return (try number(for: id, below: newer, in: db), firstRecent)
    }

    /// - Parameter newer: The number of the next newer status.
    private func number(for id: Int64, below newer: Int64, in db: Database) throws -> Int64 {
        guard let older = try Self.neighbour(of: id, isNewer: false, in: db) else { return SearchNumber.before(newer) }
        return try SearchNumber.between(older, newer) ?? makeRoom(for: id, below: newer, in: db)
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

    /// Removes older statuses, which ``SearchIndexing`` adds again.
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
            // FTS5 writes a single segment if the numbers ascend.
            try remove(ids.reversed(), in: db)
            try SearchIndexing.request(upTo: newest, in: db)
            let older = try Self.neighbour(of: id, isNewer: false, in: db)
            if let number = SearchNumber.afterRemoval(older, newer) { return number }
        }
    }
}

extension SQLiteSearchIndex {
    /// Adds recent statuses to the indexes, and begins to merge all segments of an index into one, as a negative number
    /// of pages demands. Each such merge adds levels to the index, which it only loses when it becomes empty.
    func beginMerge(in db: Database) throws {
        for table in Self.tables where try Self.levels(of: table, in: db) > maximumLevels {
            return try SearchIndexing.restart(in: db)
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

/// The number by which FTS5 knows a status. Numbers have the order of the ids, but are close to each other: with each
/// word of a status, FTS5 stores the difference to the status before, and differences of ids, which contain a time in
/// milliseconds, would be half of the index.
///
/// New statuses follow the highest number, and those that ``SearchIndexing`` finds precede the lowest one. There is
/// some room between two numbers, for statuses that an import puts between others. Where that does not suffice, older
/// statuses leave the index, and ``SearchIndexing`` adds them again, in the room that they have left. For some hundred
/// statuses in one place, an import removes ``maximumRemoved`` others; with several in each of many places, most of the
/// older ones leave once.
enum SearchNumber {
    /// The maximum number of statuses that leave the index for one.
    static let maximumRemoved = 500
    /// The first number. In the index, it takes four bytes, as do some million lower and higher ones.
    static let first: Int64 = 1 << 27

    private static let step: Int64 = 16
    /// The room for the statuses of one page of ``SearchIndexing``, which adds the oldest one first, and for as many
    /// others.
    private static let page = 2 * step * Int64(SearchIndexing.pageSize)

    /// The number of a status that comes some statuses after another.
    static func after(_ older: Int64, by count: Int64 = 1) -> Int64 { older &+ count * step }

    static func before(_ newer: Int64) -> Int64 { newer &- page }

    /// A number that leaves most of the room to the newer statuses of the same place, which usually follow.
    /// - Returns: `nil` if there is no room.
    static func between(_ older: Int64, _ newer: Int64) -> Int64? {
        let room = newer &- older
        return room > 1 ? older &+ min(step, max(1, room / 1024)) : nil
    }

    /// A number that leaves most of the room to the statuses that have left the index for this one.
    /// - Parameter older: The number of the newest older status that is left, if there is one.
    static func afterRemoval(_ older: Int64?, _ newer: Int64) -> Int64? {
        let room = older.map { newer &- $0 } ?? page
        return room > 1 ? newer &- max(1, room / 8) : nil
    }
}
