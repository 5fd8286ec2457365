package import FeedCore
import Foundation
package import GRDB

/// The SQLite database of a data folder, verified and migrated to the newest schema.
package final class FeedDatabase: Sendable {
    package static let fileName = "feed.sqlite"
    /// Stored in the file's header to distinguish it from other SQLite files.
    static let applicationID = 0x6665_6564
    /// The size in bytes up to which a file is verified when it is opened.
    private static let checkedBytes = 256 << 20

    /// For concurrent reads.
    package let pool: DatabasePool
    /// For all writes, which share transactions.
    package let commits: GroupCommit
    /// The position of the change log after the last commit.
    package let log: LogPosition
    package let clock: WallClock
    private let health: DatabaseHealth
    private let reserve: DiskReserve
    private let lock: FolderLock

    /// Whether `folder` contains a database, in any state.
    package static func exists(in folder: String) -> Bool {
        // An unreadable path counts as a database: opening it reports the reason.
        access(folder + "/" + fileName, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// Opens the database of `folder`, creating the folder and the file if they are missing.
    /// - Parameters:
    ///   - version: The program's version; a new one renews the folder's epoch.
    ///   - report: Called once per reason for which nothing can be stored.
    /// - Throws: ``FeedError`` with a hint: `.storage` for a folder that is not writable or a file that is damaged,
    ///   foreign or newer; `.conflict` for a migration while another process uses the folder.
    package init(
        folder: String, clock: WallClock, version: String,
        report: @escaping @Sendable (FeedError) -> Void = { _ in }
    ) throws {
        self.clock = clock
        try Self.prepare(folder)
        do {
            let path = folder + "/" + Self.fileName
            try Self.requireNothingLost(folder)
            let lock = try FolderLock(folder: folder)
            self.lock = lock
            try PrivateFiles.create(path)
            try Self.inspect(path)
            // Before SQLite creates the files beside it; existing ones are narrowed too.
            try PrivateFiles.narrow(path)
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            self.pool = pool
            let isNewer = try Migrations.isDue(on: pool)
            if isNewer { try lock.exclusively { _ = try Migrations.run(on: pool) } }
            try Self.renewEpoch(pool, version: version, isNewer: isNewer)
            // GRDB sets NORMAL on the writer after `prepareDatabase`; in WAL mode that may lose acknowledged commits.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            log = try pool.read { db in
                LogPosition(epoch: try Self.meta("epoch", in: db) ?? "", sequence: try db.lastChange())
            }
        } catch let error as DatabaseError {
            throw Self.explain(error, folder: folder)
        }
        health = DatabaseHealth(path: pool.path, report: report)
        reserve = DiskReserve(folder: folder)
        commits = GroupCommit(pool: pool, log: log, health: health, reserve: reserve)
    }

    /// Reserves disk space for deletions, if enough is free.
    package func fillReserve() { reserve.fill() }

    /// Checkpoints the write-ahead log and closes the database.
    package func close() throws {
        try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try pool.close()
        lock.release()
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = max(4, ProcessInfo.processInfo.activeProcessorCount)
        configuration.persistentReadOnlyConnections = true
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF; PRAGMA cache_size = -4096")
        }
        return configuration
    }

    private static func diskIsFull(_ folder: String, _ cause: any Error) -> FeedError {
        FeedError(
            .storage, "the disk that holds \(folder) is full", hint: "Free some space on it, then start again.",
            cause: cause)
    }

    private static func prepare(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw diskIsFull((folder as NSString).deletingLastPathComponent, error)
        } catch {
            throw FeedError(
                .storage, "cannot create the data folder \(folder)",
                hint: "Choose a folder you may write to with --data DIR.", cause: error)
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw FeedError(
                .storage, "cannot write to the data folder \(folder)",
                hint: "Change its owner, or choose another with --data DIR.")
        }
    }

    /// Refuses a folder that contains blobs or a write-ahead log but no database: a new database would hide that the
    /// feed was lost.
    private static func requireNothingLost(_ folder: String) throws(FeedError) {
        guard !exists(in: folder) else { return }
        let blobs = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/blobs")) ?? []
        let hasLog = access(folder + "/" + fileName + "-wal", F_OK) == 0
        guard !blobs.isEmpty || hasLog else { return }
        throw FeedError(
            .storage, "\(folder) contains \(hasLog ? "a write-ahead log" : "stored files") but no \(fileName)",
            hint: "Put \(fileName) back or restore a backup; choose another folder with --data DIR for a new feed.")
    }

    /// Verifies an existing file before anything writes to it, so that a damaged or foreign file remains unchanged.
    private static func inspect(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { try check($0, path: path) }
    }

    private static func check(_ db: Database, path: String) throws {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard id == applicationID || tables == 0 else {
            throw FeedError(
                .storage, "\(path) is the database of another program", hint: "Choose another folder with --data DIR.")
        }
        if tables > 0, try Migrations.isFromTheFuture(db) {
            throw FeedError(
                .storage, "\(path) was written by a newer version of feedserver",
                hint: "Install that version again, or choose another folder with --data DIR.")
        }
        try checkPages(db, path: path)
    }

    /// Renews the epoch after an upgrade or a migration: responses for the same page may differ, so cached ones are
    /// invalid.
    private static func renewEpoch(_ pool: DatabasePool, version: String, isNewer: Bool) throws {
        guard try isNewer || pool.read({ try meta("version", in: $0) }) != version else { return }
        try pool.write { db in
            try setMeta("version", version, in: db)
            try setMeta("epoch", UUID().uuidString.lowercased(), in: db)
        }
    }

    /// SQLite detects corruption only in pages it reads, so small files are checked completely.
    private static func checkPages(_ db: Database, path: String) throws {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        guard size <= checkedBytes else { return }
        guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
    }

    private static func explain(_ error: DatabaseError, folder: String) -> FeedError {
        let path = folder + "/" + fileName
        if error.resultCode == .SQLITE_FULL || DiskSpace.isFull(at: folder) { return diskIsFull(folder, error) }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return FeedError(.storage, "the database \(path) is damaged", hint: StoreError.damagedHint, cause: error)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            return FeedError(
                .storage, "cannot write to \(path)",
                hint: "Change its owner, or choose another folder with --data DIR.",
                cause: error)
        default:
            return FeedError(.storage, "cannot open \(path): \(error.message ?? "unknown error")", cause: error)
        }
    }
}

extension FeedDatabase {
    /// Runs a read in a consistent snapshot.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await pool.read(body)
        } catch {
            health.note(error)
            throw StoreError.translate(error)
        }
    }

    /// A setting of the folder as a whole.
    package func meta(_ key: String) async throws -> String? {
        try await read { try Self.meta(key, in: $0) }
    }

    /// Stores a setting of the folder as a whole.
    package func setMeta(_ key: String, _ value: String) async throws {
        try await commits.write { try Self.setMeta(key, value, in: $0) }
    }

    private static func meta(_ key: String, in db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
    }

    private static func setMeta(_ key: String, _ value: String, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            arguments: [key, value])
    }
}
