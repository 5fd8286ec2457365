package import FeedCore
import Foundation
import GRDB

/// Finds and repairs wrong values and damaged indexes in a database.
package struct DatabaseCheck: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Compares stored counts and copies with the rows they come from, and looks for missing media.
    /// - Parameters:
    ///   - snapshot: A snapshot of the database.
    ///   - isRepairing: Whether to correct what is wrong.
    ///   - progress: Called with the number of rules that have been checked and the number of all rules.
    package func values(
        in snapshot: any DatabaseReading, isRepairing: Bool, progress: (_ done: Int, _ total: Int) -> Void
    ) async throws -> [CheckFinding] {
        var findings = try await TextColumnCheck.findings(in: snapshot, of: database, isRepairing: isRepairing)
        for (index, rule) in DerivedValueCheck.all.enumerated() {
            progress(index, DerivedValueCheck.all.count)
            let ids = try await snapshot.read { try $0.fetchAll(SQL(sql: rule.wrong), as: Int64.self) }
            guard !ids.isEmpty else { continue }
            if isRepairing { try await correct(ids, by: rule) }
            let examples = ids.prefix(3).map(String.init).joined(separator: ", ")
            findings.append(
                CheckFinding(
                    "\(rule.subject): \(ids.count) rows (id \(examples)\(ids.count > 3 ? ", …" : ""))",
                    remedy: CheckFinding.repair, isRepaired: isRepairing))
        }
        findings += try await TagDayCheck(database: database).findings(in: snapshot, isRepairing: isRepairing)
        findings += try await SearchCheck(database: database).findings(in: snapshot, isRepairing: isRepairing)
        return try await findings + AttachedMedia(database: database).findings(in: snapshot, isRepairing: isRepairing)
    }

    private func correct(_ ids: [Int64], by rule: DerivedValueCheck) async throws {
        try await database.repair(ids) { ids, db in
            for id in ids { try db.execute(SQL(sql: rule.correction, [.integer(id)])) }
        }
    }

    /// Checks the structure of a SQLite file. PostgreSQL checks its pages and references itself.
    /// - Parameter isRepairing: Whether to rebuild damaged indexes, which no other process may use meanwhile.
    package func structure(isRepairing: Bool) async throws -> [CheckFinding] {
        guard let sqlite = database.sqlite else { return [] }
        var messages = try await Self.messages(sqlite)
        let indexes = Self.indexes(messages)
        var findings: [CheckFinding] = []
        // An index is rebuilt from its table, which therefore must not be damaged.
        if isRepairing, !indexes.isEmpty, !messages.contains(where: { $0.index == nil }) {
            try Self.rebuild(indexes, in: sqlite)
            messages = try await Self.messages(sqlite)
            let remaining = Self.indexes(messages)
            findings = indexes.filter { !remaining.contains($0) }.map { CheckFinding(index: $0, isRepaired: true) }
        }
        findings += Self.indexes(messages).map { CheckFinding(index: $0, isRepaired: false) }
        for case .other(let text) in messages {
            findings.append(CheckFinding("the database is damaged: \(text)", remedy: CheckFinding.restore))
        }
        return try await findings + Self.references(sqlite)
    }

    private static func rebuild(_ indexes: [String], in sqlite: SQLiteEngine) throws {
        do {
            try sqlite.rebuild(indexes: indexes)
        } catch {
            throw sqlite.failed(error)
        }
    }

    private static func indexes(_ messages: [IntegrityMessage]) -> [String] {
        Set(messages.compactMap(\.index)).sorted()
    }

    private static func messages(_ sqlite: SQLiteEngine) async throws -> [IntegrityMessage] {
        do {
            // Read-only connections of SQLite 3.40 do not report violated constraints. This one does not lock anything.
            return try await sqlite.pool.writeWithoutTransaction { db in
                try String.fetchAll(db, sql: "PRAGMA integrity_check(100)").filter { $0 != "ok" }
                    .map(IntegrityMessage.init)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return [.other(error.message ?? "its pages cannot be read")]
        }
    }

    private static func references(_ sqlite: SQLiteEngine) async throws -> [CheckFinding] {
        let rows = try await sqlite.pool.read { db in
            try GRDB.Row.fetchAll(
                db,
                sql: """
                    SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY "table", parent LIMIT 100
                    """
            ).map { (table: $0[0] as String, parent: $0[1] as String, count: $0[2] as Int) }
        }
        return rows.map { table, parent, count in
            CheckFinding(
                "\(count) rows of \(table) refer to missing rows of \(parent)", remedy: CheckFinding.restore)
        }
    }
}

extension IntegrityMessage {
    fileprivate var index: String? { if case .index(let name) = self { name } else { nil } }
}

extension CheckFinding {
    fileprivate init(index: String, isRepaired: Bool) {
        self.init("the index \(index) does not match its table", remedy: CheckFinding.repair, isRepaired: isRepaired)
    }
}

extension FeedDatabase {
    /// Corrects what a check has found.
    /// - Parameters:
    ///   - found: The elements to correct.
    ///   - batch: The number of elements that are corrected per transaction, so that posting remains possible.
    ///   - correct: Corrects some elements.
    func repair<Element: Sendable>(
        _ found: [Element], batch: Int = 200,
        _ correct: @escaping @Sendable (ArraySlice<Element>, Database) throws -> Void
    ) async throws {
        let now = clock.now()
        for some in found.chunks(of: batch) {
            try await commits.write { db in
                try correct(some, db)
                // Pages that show what was wrong are no longer valid.
                try db.log(.imported, at: now)
            }
        }
    }
}

/// Finds statuses that name attached files which do not exist, or which belong to another status.
private struct AttachedMedia: Sendable {
    /// The number of statuses per query.
    private static let page = 500
    /// The largest number of statuses that are found, and corrected.
    private static let limit = 100_000

    let database: FeedDatabase

    /// - Parameter isRepairing: Whether to remove the names of these files.
    func findings(in snapshot: any DatabaseReading, isRepairing: Bool) async throws -> [CheckFinding] {
        let ids = try await wrong(in: snapshot)
        guard !ids.isEmpty else { return [] }
        if isRepairing {
            try await database.repair(ids) { ids, db in
                for id in ids { try Self.correct(id, in: db) }
            }
        }
        let examples = ids.prefix(3).map(String.init).joined(separator: ", ")
        return [
            CheckFinding(
                "\(ids.count) statuses name media that is missing (id \(examples)\(ids.count > 3 ? ", …" : ""))",
                remedy: CheckFinding.repair, isRepaired: isRepairing)
        ]
    }

    private func wrong(in snapshot: any DatabaseReading) async throws -> [Int64] {
        var (wrongIDs, last): ([Int64], Int64) = ([], 0)
        while wrongIDs.count < Self.limit {
            let (ids, end) = try await snapshot.read { [last] db in try Self.wrong(after: last, in: db) }
            wrongIDs += ids
            guard let end else { break }
            last = end
        }
        return wrongIDs
    }

    /// - Returns: The wrong statuses of a page, and its last status; `nil` if it is the last page.
    private static func wrong(after last: Int64, in db: Database) throws -> (ids: [Int64], end: Int64?) {
        let rows = try db.fetchAll(
            "SELECT id, media_ids FROM status WHERE id > \(last) AND media_ids <> '' ORDER BY id LIMIT \(page)")
        let named = try rows.map { try (status: $0[0] as Int64, media: StatusRow.unpack($0[1])) }
        let owners = try owners(of: Set(named.flatMap(\.media)), in: db)
        let wrong = named.filter { status, media in media.contains { owners[$0] != status } }
        return (wrong.map(\.status), rows.count == page ? named.last?.status : nil)
    }

    /// The statuses to which media is attached.
    private static func owners(of media: Set<Int64>, in db: Database) throws -> [Int64: Int64] {
        let rows = try db.fetchAll(
            "SELECT id, status_id FROM media WHERE status_id IS NOT NULL AND id IN (\(ids: Array(media)))")
        return try Dictionary(rows.map { try ($0[0], $0[1]) }) { first, _ in first }
    }

    private static func correct(_ status: Int64, in db: Database) throws {
        let query: SQL = "SELECT media_ids FROM status WHERE id = \(status)"
        guard let packed = try db.fetchOne(query, as: String.self) else { return }
        let named = StatusRow.unpack(packed)
        let owners = try owners(of: Set(named), in: db)
        try db.execute(
            """
            UPDATE status SET media_ids = \(StatusRow.pack(named.filter { owners[$0] == status }))
            WHERE id = \(status)
            """)
        try StatusIndex.refresh([status], in: db)
    }
}

/// Compares the search index with the statuses.
struct SearchCheck: Sendable {
    /// The number of statuses that are corrected per transaction, so that posting remains possible.
    private static let batch = 50

    let database: FeedDatabase

    /// - Parameter isRepairing: Whether to index what is missing and to remove what is left over.
    func findings(in snapshot: any DatabaseReading, isRepairing: Bool) async throws -> [CheckFinding] {
        let leftOver = try await snapshot.read { try $0.fetchAll(Self.leftOver, as: Int64.self) }
        let missing = try await snapshot.read { db in
            // A build finds them itself.
            try StatusIndexBuilder.isIncomplete(in: db) ? [] : db.fetchAll(Self.missing, as: Int64.self)
        }
        if isRepairing {
            try await database.repair(leftOver, batch: Self.batch) { try StatusIndex.remove(Array($0), in: $1) }
            try await database.repair(missing, batch: Self.batch) { try StatusIndex.refresh(Array($0), in: $1) }
        }
        return [
            Self.finding("the search index contains deleted statuses", leftOver, isRepaired: isRepairing),
            Self.finding("the search index lacks statuses", missing, isRepaired: isRepairing),
        ].compactMap(\.self)
    }

    private static func finding(_ text: String, _ ids: [Int64], isRepaired: Bool) -> CheckFinding? {
        guard let first = ids.first else { return nil }
        return CheckFinding(
            "\(text): \(ids.count) (id \(first)\(ids.count > 1 ? ", …" : ""))", remedy: CheckFinding.repair,
            isRepaired: isRepaired)
    }

    private static let leftOver: SQL = """
        SELECT x.status_id FROM status_search x
        WHERE NOT EXISTS (SELECT 1 FROM status s WHERE s.id = x.status_id) ORDER BY x.status_id LIMIT \(DerivedValueCheck.limit)
        """
    private static let missing: SQL = """
        SELECT s.id FROM status s WHERE s.boost_of_id IS NULL AND \(StatusVisibility.published("s"))
        AND NOT EXISTS (SELECT 1 FROM status_search x WHERE x.is_restricted IN (0, 1) AND x.status_id = s.id)
        ORDER BY s.id LIMIT \(DerivedValueCheck.limit)
        """
}
