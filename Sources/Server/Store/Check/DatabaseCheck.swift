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
    ///   - progress: Called with the number of checks that are done and the number of all checks.
    package func values(
        in snapshot: any DatabaseReading, isRepairing: Bool, progress: (_ done: Int, _ total: Int) -> Void
    ) async throws -> [CheckFinding] {
        var findings = try await TextColumnCheck.findings(in: snapshot, of: database, isRepairing: isRepairing)
        for (index, check) in DerivedValueCheck.all.enumerated() {
            progress(index, DerivedValueCheck.all.count)
            let ids = try await snapshot.read { try $0.fetchAll(SQL(sql: check.wrong), as: Int64.self) }
            guard !ids.isEmpty else { continue }
            if isRepairing { try await correct(ids, by: check) }
            let examples = ids.prefix(3).map(String.init).joined(separator: ", ")
            findings.append(
                CheckFinding(
                    "\(check.subject): \(ids.count) rows (id \(examples)\(ids.count > 3 ? ", …" : ""))",
                    remedy: CheckFinding.repair, isRepaired: isRepairing))
        }
        findings += try await TagCheck(database: database).findings(in: snapshot, isRepairing: isRepairing)
        findings += try await SearchCheck(database: database).findings(in: snapshot, isRepairing: isRepairing)
        return try await findings + MediaCheck(database: database).findings(in: snapshot, isRepairing: isRepairing)
    }

    private func correct(_ ids: [Int64], by check: DerivedValueCheck) async throws {
        try await database.repair(ids) { ids, db in
            for id in ids { try db.execute(SQL(sql: check.correction, [.integer(id)])) }
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

    private static func rebuild(_ indexes: [String], in sqlite: SQLiteDatabase) throws {
        do {
            try sqlite.rebuild(indexes: indexes)
        } catch {
            throw sqlite.failed(error)
        }
    }

    private static func indexes(_ messages: [IntegrityMessage]) -> [String] {
        Set(messages.compactMap(\.index)).sorted()
    }

    private static func messages(_ sqlite: SQLiteDatabase) async throws -> [IntegrityMessage] {
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

    private static func references(_ sqlite: SQLiteDatabase) async throws -> [CheckFinding] {
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
