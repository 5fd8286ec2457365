import FeedAPI
import FeedCore
import FeedFolders
import Foundation
package import GRDB

/// The SQLite file of a data folder: opened, checked and migrated to the newest schema.
package final class SQLiteDatabase: DatabaseBackend {
    package static let fileName = "feed.sqlite"
    /// The application id in the file header, which distinguishes the file from SQLite files of other programs.
    static let applicationID = 0x6665_6564
    /// Files up to this size (bytes) are checked page by page when they are opened. Larger ones would delay the start;
    /// ``checkPages()`` checks them later.
    private static let checkedBytes = 16 << 20
    /// The maximum number of connections that read for clients.
    static let readerCount = max(4, ProcessInfo.processInfo.activeProcessorCount)

    /// The connection that writes, and others for snapshots and maintenance. Clients read through ``readers``.
    package let pool: DatabasePool
    private let readers: SQLiteReaderPool
    var path: String { pool.path }
    /// Whether the schema was migrated when the file was opened.
    let isMigrated: Bool
    /// `false` although other processes may write, because their changes need to become visible only within a second.
    let isShared = false
    let maximumBatch = 256
    private let health: SQLiteHealth
    private let reserve: DataFolderReserve
    private let lock: DataFolderLock
    /// Held by `serve`.
    private let servingLock: ServingLock?
    private let folder: Folder

    /// The database file, and the files that SQLite keeps beside it.
    package static let fileNames = ["", "-wal", "-shm", "-journal"].map { fileName + $0 }

    /// Whether a file in a folder that contains only a database is one of ours.
    static func isOwnFile(_ name: String) -> Bool {
        (fileNames + [DataFolderLock.fileName, ServingLock.fileName, ImportLock.fileName]).contains(name)
    }

    /// Whether `folder` contains a database file, even a damaged one.
    static func exists(in folder: String) -> Bool {
        // A file that cannot be examined counts as existing; opening it reports the reason.
        access(folder + "/" + fileName, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// - Parameter isServing: Whether to refuse a folder that another process serves.
    init(
        folder: String, isServing: Bool = false, caches: CacheBudget, report: @escaping @Sendable (FeedError) -> Void
    ) throws {
        self.folder = try Self.prepare(folder)
        let root = self.folder
        do {
            let path = folder + "/" + Self.fileName
            try SQLiteFile.refuseLinks(in: root)
            try Self.refuseIfDatabaseIsMissing(folder)
            servingLock = isServing ? try ServingLock(folder: root) : nil
            let lock = try DataFolderLock(folder: root)
            self.lock = lock
            // A restore may have begun since the caller asked.
            try DataFolderRestore.refuseIncomplete(folder)
            try SQLiteFile.create(in: root)
            try Self.inspect(path)
            // Before SQLite creates the `-wal` and `-shm` files, which inherit the mode; existing ones are changed,
            // too.
            try SQLiteFile.restrictAccess(in: root)
            let configuration = Self.configuration(caches, connections: Self.readerCount + 1)
            let pool = try DatabasePool(path: path, configuration: configuration)
            self.pool = pool
            isMigrated = try SQLiteMigrations.isDue(on: pool)
            if isMigrated {
                try lock.exclusively("the data folder has to be migrated, and another process is using it") {
                    _ = try SQLiteMigrations.run(on: pool)
                }
            }
            // GRDB sets NORMAL on the writer after `prepareDatabase`, which may lose acknowledged commits in WAL mode.
            // What is deleted is overwritten, so that it is gone from the file.
            try pool.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
            }
            readers = try SQLiteReaderPool(path: path, configuration: configuration, count: Self.readerCount)
        } catch let error as DatabaseError {
            throw Self.explain(error, folder: folder)
        }
        health = SQLiteHealth(path: pool.path, report: report)
        reserve = DataFolderReserve(folder: root)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.read { try body(Database(connection: SQLiteConnection(db: $0))) }
    }

    // Not `pool.write`, which is cancelled with its caller: other callers' jobs may share the transaction.
    func write(_ body: @escaping @Sendable (any WriterConnection) -> Void) {
        pool.asyncWriteWithoutTransaction { body(SQLiteConnection(db: $0)) }
    }

    func requireWritable() throws { try health.requireWritable() }

    func failed(_ error: any Error) -> any Error {
        health.record(error)
        return SQLiteError.translate(error)
    }

    func isDiskFull(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_FULL }

    func releaseReserve() -> Bool { reserve.release() }

    func refuseOthers() throws { try lock.exclusively("another process is using the data folder") {} }

    func isLeader() -> Bool { true }

    func keepReserve() { reserve.keep() }

    func requireReserve() throws(FeedError) { try reserve.require() }

    /// The state of the write-ahead log, to which every commit writes. Its modification time has a resolution of a few
    /// milliseconds.
    func stamp() -> ChangeStamp {
        var status = stat()
        guard stat(pool.path + "-wal", &status) == 0 else { return ChangeStamp() }
        return ChangeStamp(Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_size))
    }

    func lockImports() throws -> any ImportLocking { try ImportLock(folder: folder) }

    func snapshot() throws -> any DatabaseSnapshotting { SQLiteSnapshot(try pool.makeSnapshot()) }

    func bytes() -> Int64 { FileSize.bytes(at: pool.path) + FileSize.bytes(at: pool.path + "-wal") }

    func vacuum() throws {
        try lock.exclusively("another process is using the data folder", hint: "Stop the server during the vacuum.") {
            // The new content is written to a temporary file first and then to the write-ahead log.
            let (needed, free) = (2 * bytes() + (16 << 20), DiskSpace.free(at: folder.path) ?? .max)
            guard free >= needed else {
                throw FeedError(
                    .diskFull, "a vacuum needs \(needed >> 20) MiB of disk space; \(free >> 20) MiB free",
                    hint: "Free some space on the disk that holds \(folder.path), then try again.")
            }
            try pool.writeWithoutTransaction { db in
                // The other connections keep small temporary tables in memory.
                try db.execute(sql: "PRAGMA temp_store = FILE; VACUUM")
                _ = try db.checkpoint(.truncate)
            }
        }
    }

    /// - Throws: ``FeedError`` `.conflict` while another process uses the database.
    func rebuild(indexes: [String]) throws {
        try lock.exclusively("another process is using the data folder", hint: "Stop the server during the repair.") {
            try pool.writeWithoutTransaction { db in
                for index in indexes { try db.execute(sql: "REINDEX \(index.quotedDatabaseIdentifier)") }
            }
        }
    }

    func checkPages() async throws { try await SQLitePageCheck.run(pool.path) }

    /// Checkpoints the write-ahead log and closes the database.
    func close() throws {
        readers.close()
        try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try pool.close()
        lock.release()
        servingLock?.release()
    }
}

extension SQLiteDatabase {
    /// The time that a connection waits for the lock of another process.
    static var busyMode: GRDB.Database.BusyMode { .timeout(TimeInterval(Timeout.seconds(5))) }

    /// - Parameter connections: The number of connections that share the memory for pages of the file.
    private static func configuration(_ caches: CacheBudget, connections: Int) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = busyMode
        // A negative size is in KiB.
        let pageCache = caches.page(ofConnections: connections) >> 10
        configuration.prepareDatabase { db in
            try db.execute(
                sql: "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF; PRAGMA cache_size = -\(pageCache)")
        }
        return configuration
    }

    private static func diskIsFull(_ folder: String, _ cause: any Error) -> FeedError {
        FeedError(
            .storage, "the disk that holds \(folder) is full", hint: "Free some space on it, then start again.",
            cause: cause)
    }

    private static func prepare(_ folder: String) throws -> Folder {
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
        return try Folder(folder)
    }

    /// Refuses a folder that contains blobs or a write-ahead log but no database, or an empty one: the database has been
    /// lost, and a new one would hide that. SQLite would delete the log of an empty file.
    static func refuseIfDatabaseIsMissing(_ folder: String) throws(FeedError) {
        let path = folder + "/" + fileName
        let blobs = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/blobs")) ?? []
        let hasLog = FileSize.bytes(at: path + "-wal") > 0
        // Examined last: if another process is creating the database, it writes to the file before the log.
        let hasFile = exists(in: folder)
        guard !hasFile || FileSize.bytes(at: path) == 0, !blobs.isEmpty || hasLog else { return }
        throw FeedError(
            .storage,
            "\(folder) holds \(hasLog ? "a database log" : "stored files") but \(hasFile ? "an empty" : "no") \(fileName)",
            hint: "Put \(fileName) back, or move the folder aside and restore a backup; for a new feed, choose another "
                + "folder with --data DIR.")
    }

    /// Checks an existing file before anything is written, so that a damaged or foreign file is not modified.
    private static func inspect(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = busyMode
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { try check($0, path: path) }
    }

    private static func check(_ db: GRDB.Database, path: String) throws {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard id == applicationID || tables == 0 else {
            throw FeedError(
                .storage, "\(path) is a database of another program", hint: "Choose another folder with --data DIR.")
        }
        if tables > 0, try SQLiteMigrations.hasBeenSuperseded(db) {
            throw FeedError(
                .storage, "\(path) was written by a newer version of feedserver",
                hint: "Install that version again, or choose another folder with --data DIR.")
        }
        try checkPages(db, path: path)
    }

    /// Checks all pages of a small file, because SQLite detects corruption only in the pages that it reads.
    private static func checkPages(_ db: GRDB.Database, path: String) throws {
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
            return FeedError(.storage, "the database \(path) is damaged", hint: SQLiteError.damagedHint, cause: error)
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
