package import FeedCore
import Foundation
import GRDB

/// The database file of a backup, opened for reading.
package final class BackupDatabase: DatabaseReading {
    private let snapshot: SQLiteSnapshot

    /// - Throws: ``FeedError`` `.storage` if the file cannot be opened.
    package init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
        do {
            snapshot = SQLiteSnapshot(try DatabaseQueue(path: path, configuration: configuration))
        } catch {
            throw FeedError(.storage, "cannot open \(path)", hint: "Choose another backup.", cause: error)
        }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await snapshot.read(body)
    }

    package func close() { snapshot.close() }

    /// Checks all pages. Indexes are not compared with their tables, because they can be rebuilt.
    /// - Throws: ``FeedError`` `.storage`.
    package func requireIntact() async throws {
        let result = try await read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        guard result == "ok" else {
            throw FeedError(.storage, "The database is damaged", hint: SQLiteError.damagedHint)
        }
    }

    /// Refuses a file that our servers cannot have written: with triggers, views, tables without types, or names that
    /// become other paths. Whoever made it may have wanted more than to be restored.
    /// - Throws: ``FeedError`` `.storage` that names what is wrong.
    package func requireOwn() async throws {
        let foreign = try await read { try String.fetchOne($0, sql: Self.foreignObject) }
        if let foreign {
            throw FeedError(
                .storage, "the database of the backup contains \(LogField.json(foreign, limit: 64))",
                hint: "feedserver did not write it. Choose another backup.")
        }
        try await ColumnRule.requireAll(in: self)
    }

    private static let foreignObject = """
        SELECT type || ' ' || name FROM sqlite_master WHERE type NOT IN ('table', 'index')
        UNION ALL
        SELECT 'an untyped table ' || name FROM pragma_table_list
        WHERE schema = 'main' AND NOT (type = 'table' AND strict = 1) AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
        AND name <> 'grdb_migrations'
        LIMIT 1
        """

    /// The manifest's values that describe the content.
    package func facts() async throws -> (schema: Int, epoch: String, lastChange: Int64, counts: BackupManifest.Counts)
    {
        try await read { db in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            return (
                try Int.fetchOne(db, sql: "SELECT max(CAST(identifier AS INTEGER)) FROM grdb_migrations") ?? 0,
                try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'epoch'") ?? "", try db.lastChange(),
                BackupManifest.Counts(
                    accounts: try count("account"), statuses: try count("status"), files: try count("file"))
            )
        }
    }

    /// - Throws: ``FeedError`` `.conflict` if a newer version of feedserver wrote a backup.
    package static func requireKnown(schema: Int) throws(FeedError) {
        guard schema <= Migrations.newest else {
            throw FeedError(
                .conflict, "the backup was made by a newer version of feedserver",
                hint: "Install that version to restore it, or choose an older backup with --at.")
        }
    }
}
