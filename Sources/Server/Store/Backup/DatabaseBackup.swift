package import FeedCore
import FeedFolders
import Foundation
import GRDB

/// The database file of a backup, opened for reading.
package final class DatabaseBackup: DatabaseReading {
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
        let verdict = try await read { try $0.fetchOne("PRAGMA quick_check(1)", as: String.self) }
        guard verdict == "ok" else {
            throw FeedError(.storage, "The database is damaged", hint: SQLiteError.damagedHint)
        }
    }

    /// Refuses a file that our servers cannot have written: with triggers, views, tables without types, or names that
    /// become other paths. The author of a backup may be an attacker.
    /// - Throws: ``FeedError`` `.storage` that names what is wrong.
    package func requireOwn() async throws {
        let foreign = try await read { try $0.fetchOne(Self.foreignObject, as: String.self) }
        if let foreign {
            throw FeedError(
                .storage, "the database of the backup contains \(LogEscaping.json(foreign, limit: 64))",
                hint: "feedserver did not write it. Choose another backup.")
        }
        try await TextColumnCheck.requireAll(in: self)
    }

    /// The shadow tables are those of our full-text indexes. Their content is never read: a restored feed builds its
    /// index anew.
    private static let foreignObject: SQL = """
        SELECT type || ' ' || name FROM sqlite_master WHERE type NOT IN ('table', 'index')
        UNION ALL
        SELECT 'an untyped table ' || name FROM pragma_table_list t
        WHERE schema = 'main' AND NOT (type = 'table' AND strict = 1) AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
        AND name <> 'grdb_migrations' AND type <> 'shadow' AND NOT (type = 'virtual' AND EXISTS (
            SELECT 1 FROM sqlite_master m WHERE m.name = t.name
            AND m.sql IN \(list: SQLiteMigrations.fullTexts)))
        LIMIT 1
        """

    /// The manifest's values that describe the content.
    package func facts() async throws -> (schema: Int, epoch: String, lastChange: Int64, counts: BackupManifest.Counts)
    {
        try await read { db in
            func count(_ table: String) throws -> Int {
                try db.fetchOne("SELECT count(*) FROM \(sql: table)", as: Int.self) ?? 0
            }
            return (
                try db.fetchOne("SELECT max(CAST(identifier AS INTEGER)) FROM grdb_migrations", as: Int.self) ?? 0,
                try db.fetchOne("SELECT value FROM meta WHERE key = 'epoch'", as: String.self) ?? "",
                try db.lastChange(),
                BackupManifest.Counts(
                    accounts: try count("account"), statuses: try count("status"), files: try count("file"))
            )
        }
    }

    /// - Throws: ``FeedError`` `.conflict` if a newer version of feedserver wrote a backup.
    package static func requireKnown(schema: Int) throws(FeedError) {
        guard schema <= SQLiteMigrations.newest else {
            throw FeedError(
                .conflict, "the backup was made by a newer version of feedserver",
                hint: "Install that version to restore it, or choose an older backup with --at.")
        }
    }
}

extension FeedDatabase {
    /// Copies a consistent state of the database to a new SQLite file. Writers are not blocked.
    /// - Parameters:
    ///   - path: The path of the new file. A PostgreSQL database is copied through a folder of the same name plus
    ///     `.copy`.
    ///   - progress: Called with the amount done and the total: bytes with SQLite, rows with PostgreSQL.
    /// - Throws: ``FeedError``; the file is then incomplete.
    package func backUp(
        to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) async throws {
        if let sqlite {
            let total = FileSize.bytes(at: sqlite.pool.path)
            try await FileGrowth.watch(path, report: { progress($0, total) }) { try await sqlite.copy(to: path) }
        } else {
            try await copyRows(to: path, progress: progress)
        }
        do {
            try SQLiteDatabase.finish(path)
        } catch {
            throw SQLiteError.translate(error)
        }
    }

    private func copyRows(
        to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) async throws {
        let folder = path + ".copy"
        // Not by the database, whose folder would belong to root if root runs the command.
        do {
            _ = try Folder((path as NSString).deletingLastPathComponent)
                .createFolder((folder as NSString).lastPathComponent)
        } catch {
            throw SQLiteError.translate(error)
        }
        let version = try await meta("version") ?? ""
        let snapshot = try self.snapshot()
        defer { snapshot.close() }
        let target = try FeedDatabase(folder: folder, clock: clock, version: version)
        do {
            _ = try await DatabaseCopy(from: snapshot, to: target).run { progress(Int64($0), Int64($1)) }
        } catch {
            try? target.close()
            throw error
        }
        try target.close()
        let copy = folder + "/" + SQLiteDatabase.fileName
        guard SQLiteDatabase.isCheckpointed(copy) else {
            throw FeedError(.storage, "the copy of the database is still in use", hint: "Run the command again.")
        }
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        try? FileManager.default.removeItem(atPath: folder)
    }
}

extension SQLiteDatabase {
    /// Copies all pages in one step, because SQLite would start over after each commit between two steps.
    fileprivate func copy(to path: String) async throws {
        do {
            let folder = try Folder((path as NSString).deletingLastPathComponent)
            try SQLiteFile.create((path as NSString).lastPathComponent, in: folder)
            let target = try DatabaseQueue(path: path)
            defer { try? target.close() }
            try await pool.read { source in
                try target.writeWithoutTransaction { try source.backup(to: $0) }
            }
        } catch {
            throw SQLiteError.translate(error)
        }
    }

    /// Whether a closed database has no rows left in its write-ahead log, so that its file alone is complete.
    static func isCheckpointed(_ path: String) -> Bool { FileSize.bytes(at: path + "-wal") == 0 }

    /// Makes a copied database a single file without a write-ahead log, and syncs it.
    fileprivate static func finish(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        let mode = try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
        try queue.close()
        guard mode == "delete" else { throw DatabaseError(message: "the copy is in use") }
        let file = Foundation.open(path, O_RDWR | O_CLOEXEC)
        defer { if file >= 0 { Foundation.close(file) } }
        guard file >= 0, fchmod(file, 0o600) == 0 || errno == EPERM, fsync(file) == 0 else {
            throw DatabaseError(resultCode: errno == ENOSPC ? .SQLITE_FULL : .SQLITE_IOERR)
        }
    }
}

/// Reports the size of a file while it is being written by code that reports nothing itself.
private enum FileGrowth {
    static func watch<Value: Sendable>(
        _ path: String, report: @escaping @Sendable (Int64) -> Void,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await Task.sleep(for: .milliseconds(200))) != nil { report(FileSize.bytes(at: path)) }
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }
}
