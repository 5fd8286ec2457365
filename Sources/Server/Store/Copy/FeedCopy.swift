import Crypto
import FeedCore
import Foundation

/// Copies a feed into an empty database, of either engine. The files of the feed stay where they are.
package struct FeedCopy: Sendable {
    /// Marks a database that is only partly filled; it cannot be opened.
    static let mark = "unfinished_copy"
    private static let batch = 500
    /// Columns of a status that refer to other statuses, which may come later.
    private static let references = ["in_reply_to_id", "boost_of_id"]

    private let source: FeedDatabase
    private let target: FeedDatabase

    package init(from source: FeedDatabase, to target: FeedDatabase) {
        self.source = source
        self.target = target
    }

    /// - Parameter progress: Called with the rows copied and the rows in all.
    /// - Returns: The number of rows.
    /// - Throws: ``FeedError`` `.conflict` when the target holds a feed, `.storage` when the copy differs from the source.
    package func run(progress: @Sendable (_ done: Int, _ total: Int) -> Void) async throws -> Int {
        guard try await count(FeedDatabase.Table(name: "account", key: []), in: target) == 0 else {
            throw FeedError(.conflict, "the target already holds a feed", hint: "Name an empty database or folder.")
        }
        var total = 0
        for table in FeedDatabase.tables { total += try await count(table, in: source) }
        try await target.setMeta(Self.mark, "1")
        var done = 0
        for table in FeedDatabase.tables {
            done = try await copy(table, from: done) { progress($0, total) }
        }
        try await relink()
        for table in FeedDatabase.tables { try await verify(table) }
        try await target.commits.write { db in
            try db.connection.restartIdentities()
            try db.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [Self.mark])
        }
        return done
    }

    private func count(_ table: FeedDatabase.Table, in database: FeedDatabase) async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table.name)") ?? 0 }
    }

    private func copy(
        _ table: FeedDatabase.Table, from start: Int, progress: (Int) -> Void
    ) async throws -> Int {
        let columns = try await source.read { try $0.connection.columns(of: table.name) }
        let isStatus = table.name == "status"
        let held = columns.indices.filter { isStatus && Self.references.contains(columns[$0]) }
        let insert = """
            INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
        try await removeOwnRows(table)
        var done = start
        try await forEachPage(of: table, columns, in: source) { rows in
            try await target.commits.write { db in
                let statement = try db.cachedStatement(sql: insert)
                for row in rows {
                    var values = row
                    for column in held { values[column] = .null }
                    try statement.execute(arguments: SQLArguments(values))
                }
            }
            done += rows.count
            progress(done)
        }
        return done
    }

    /// A new database has rows of its own in these tables.
    private func removeOwnRows(_ table: FeedDatabase.Table) async throws {
        try await target.commits.write { db in
            switch table.name {
            case "meta": try db.execute(sql: "DELETE FROM meta WHERE key <> ?", arguments: [Self.mark])
            case "sequence": try db.execute(sql: "DELETE FROM sequence")
            default: break
            }
        }
    }

    /// Sets the references between statuses, when all of them are there.
    private func relink() async throws {
        let columns = ["id"] + Self.references
        let table = FeedDatabase.Table(name: "status", key: ["id"])
        try await forEachPage(of: table, columns, in: source) { rows in
            try await target.commits.write { db in
                let statement = try db.cachedStatement(
                    sql: "UPDATE status SET in_reply_to_id = ?2, boost_of_id = ?3 WHERE id = ?1")
                for row in rows where row[1] != .null || row[2] != .null {
                    try statement.execute(arguments: SQLArguments(row))
                }
            }
        }
    }

    /// - Throws: ``FeedError`` `.storage` unless both tables have the same rows.
    private func verify(_ table: FeedDatabase.Table) async throws {
        let columns = try await source.read { try $0.connection.columns(of: table.name) }
        guard try await hash(table, columns, in: source) == hash(table, columns, in: target) else {
            throw FeedError(
                .storage, "the copy of the table \(table.name) differs from its source",
                hint: "Make sure that no server is running on either, then copy into an empty database again.")
        }
    }

    private func hash(
        _ table: FeedDatabase.Table, _ columns: [String], in database: FeedDatabase
    ) async throws -> SHA256.Digest {
        var hash = SHA256()
        try await forEachPage(of: table, columns, in: database) { rows in
            for row in rows where row.first != .text(Self.mark) {
                // A description is unambiguous: texts are quoted in it.
                hash.update(data: Data("\(row)\n".utf8))
            }
        }
        return hash.finalize()
    }

    private func forEachPage(
        of table: FeedDatabase.Table, _ columns: [String], in database: FeedDatabase,
        _ body: ([[SQLValue]]) async throws -> Void
    ) async throws {
        let key = table.key.joined(separator: ", ")
        let marks = table.key.map { _ in "?" }.joined(separator: ", ")
        let keyColumns = table.key.compactMap { columns.firstIndex(of: $0) }
        var last: [SQLValue]?
        while true {
            let condition = last == nil ? "" : "WHERE (\(key)) > (\(marks))"
            let sql = """
                SELECT \(columns.joined(separator: ", ")) FROM \(table.name) \(condition)
                ORDER BY \(key) LIMIT \(Self.batch)
                """
            let rows = try await database.read { [last] db in
                try Row.fetchAll(db, sql: sql, arguments: SQLArguments(last ?? [])).map { row in
                    columns.indices.map { row.source.value($0) }
                }
            }
            if !rows.isEmpty { try await body(rows) }
            guard rows.count == Self.batch, let end = rows.last else { return }
            last = keyColumns.map { end[$0] }
        }
    }
}
