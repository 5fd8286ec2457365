package import FeedCore
package import Foundation
import Synchronization

/// The database of a feed, in SQLite or PostgreSQL.
package final class FeedDatabase: Sendable {
    package let commits: GroupCommit
    /// The position of the change log after the last commit.
    package let log: RecentChanges
    package let clock: WallClock
    /// The key that authenticates forms, the same on every server.
    package let formKey: Data
    /// A random id of the feed, which backups and copies keep.
    package let feedID: UUID
    /// The memory of the caches of all stores.
    let caches: CacheBudget
    let engine: any DatabaseBackend
    let position = LogPositionReader()

    /// The SQLite engine, for tests; `nil` with PostgreSQL.
    package var sqlite: SQLiteDatabase? { engine as? SQLiteDatabase }

    /// Whether `folder` contains a database file, even a damaged one.
    package static func exists(in folder: String) -> Bool { SQLiteDatabase.exists(in: folder) }

    /// Opens the database in `folder`, creating the folder and the file if they are missing.
    /// - Parameters:
    ///   - version: The version of feedserver; a different one renews the feed's epoch.
    ///   - isServing: Whether to refuse a folder that another process serves.
    ///   - caches: The memory of all caches.
    ///   - report: Called once for each reason why the database is no longer writable.
    /// - Throws: ``FeedError`` `.storage` with a hint if the folder is not writable, or if the file is damaged, belongs
    ///   to another program or was written by a newer version.
    package convenience init(
        folder: String, clock: WallClock, version: String, isServing: Bool = false,
        caches: CacheBudget = Limits().caches, report: @escaping @Sendable (FeedError) -> Void = { _ in }
    ) throws {
        try self.init(
            engine: SQLiteDatabase(folder: folder, isServing: isServing, caches: caches, report: report), clock: clock,
            version: version, caches: caches)
    }

    /// Opens a PostgreSQL database, creating the schema if the database is empty.
    /// - Parameters:
    ///   - acceptsIncompleteCopy: Whether the database may contain an incomplete copy, which is to be replaced.
    ///   - caches: The memory of all caches.
    /// - Throws: ``FeedError`` with a hint if libpq is missing, if the server is unreachable or unsuitable, or if the
    ///   schema has another version.
    package convenience init(
        postgres address: PostgresAddress, creating: Bool = true, acceptsIncompleteCopy: Bool = false, clock: WallClock,
        version: String, caches: CacheBudget = Limits().caches
    ) throws {
        try self.init(
            engine: PostgresDatabase(address, creating: creating), acceptsIncompleteCopy: acceptsIncompleteCopy,
            clock: clock,
            version: version, caches: caches)
    }

    init(
        engine: any DatabaseBackend, acceptsIncompleteCopy: Bool = false, clock: WallClock, version: String,
        caches: CacheBudget
    ) throws {
        self.engine = engine
        self.caches = caches
        self.clock = clock
        let (epoch, sequence, key, id) = try engine.now { db in
            guard try acceptsIncompleteCopy || Self.meta(DatabaseCopy.mark, in: db) == nil else {
                throw FeedError(
                    .conflict, "the database contains an incomplete copy", hint: "Delete it and copy the feed again.")
            }
            try Self.renewEpoch(db, version: version, isMigrated: engine.isMigrated)
            return (
                try Self.meta("epoch", in: db) ?? "", try db.lastChange(), try Self.formKey(in: db),
                try Self.feedID(in: db)
            )
        }
        log = RecentChanges(epoch: epoch, sequence: sequence)
        (formKey, feedID) = (key, id)
        commits = GroupCommit(engine: engine, log: log)
    }

    /// Reserves disk space for deletions from now on.
    package func keepReserve() { engine.keepReserve() }

    /// Uploads must stop while only deletions may write.
    /// - Throws: ``FeedError`` `.diskFull`.
    package func requireReserve() throws(FeedError) { try engine.requireReserve() }

    /// Whether other servers may use the database, which is then copied row by row.
    package var isShared: Bool { engine.isShared }

    /// Whether this server performs the maintenance. Only one of the servers that share a database does.
    package func isLeader() async -> Bool { await engine.isLeader() }

    /// - Throws: ``FeedError`` `.conflict` while another process has the data folder open.
    package func refuseOthers() throws { try sqlite?.refuseOthers() }

    /// Checks all pages of a SQLite file, which takes long if it is large. Nothing is stored once damage is found.
    /// - Throws: ``FeedError`` `.storage` if a page is damaged.
    package func checkPages() async throws {
        do {
            try await sqlite?.checkPages()
        } catch {
            throw engine.failed(error)
        }
    }

    package func close() throws { try engine.close() }

    /// Whether the database contains a copy that was interrupted.
    package func hasIncompleteCopy() async throws -> Bool { try await meta(DatabaseCopy.mark) != nil }

    /// A snapshot of the last commit, which several reads share.
    package func snapshot() throws -> any DatabaseSnapshotting {
        do {
            return try engine.snapshot()
        } catch {
            throw engine.failed(error)
        }
    }

    /// The size of the database in bytes.
    package func bytes() async throws -> Int64 {
        do {
            return try await engine.bytes()
        } catch {
            throw engine.failed(error)
        }
    }

    /// Rewrites a SQLite database without unused space; makes PostgreSQL reuse the space of deleted rows.
    /// - Throws: ``FeedError`` `.conflict` if another process is using a SQLite database, whose writes would have to
    ///   wait; `.diskFull` if there is not enough space.
    package func vacuum() async throws {
        do {
            try await engine.vacuum()
        } catch {
            throw engine.failed(error)
        }
    }

    private static func formKey(in db: Database) throws -> Data {
        if let text = try meta("form_key", in: db), let key = Data(base64Encoded: text) { return key }
        let key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        try setMeta("form_key", key.base64EncodedString(), in: db)
        return key
    }

    private static func feedID(in db: Database) throws -> UUID {
        if let text = try meta("feed_id", in: db), let id = UUID(uuidString: text) { return id }
        let id = UUID()
        try setMeta("feed_id", id.uuidString.lowercased(), in: db)
        return id
    }

    /// Invalidates cached pages after a migration or an upgrade, either of which may change how a page is rendered.
    private static func renewEpoch(_ db: Database, version: String, isMigrated: Bool) throws {
        guard try isMigrated || meta("version", in: db) != version else { return }
        try setMeta("version", version, in: db)
        try setMeta("epoch", UUID().uuidString.lowercased(), in: db)
    }
}

extension DatabaseBackend {
    /// Runs a transaction and blocks until it has ended. Used only while the database is opened.
    fileprivate func now<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        write { connection in
            let value = Result {
                var value: Value?
                try connection.inTransaction(isRepeatable: { true }) {
                    value = try body(Database(connection: connection))
                }
                return value
            }
            result.withLock { result in
                result = value.flatMap { $0.map(Result.success) ?? .failure(FeedError.notFound) }
            }
            isDone.signal()
        }
        isDone.wait()
        return try result.withLock { $0 ?? .failure(FeedError.notFound) }.mapError(failed).get()
    }
}

extension FeedDatabase {
    /// Runs `body` on a consistent snapshot.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await engine.read(body)
        } catch {
            throw engine.failed(error)
        }
    }

    /// A setting that applies to the whole feed.
    package func meta(_ key: String) async throws -> String? {
        try await read { try Self.meta(key, in: $0) }
    }

    /// Stores a setting that applies to the whole feed.
    package func setMeta(_ key: String, _ value: String) async throws {
        try await commits.write { try Self.setMeta(key, value, in: $0) }
    }

    private static func meta(_ key: String, in db: Database) throws -> String? {
        try db.fetchOne("SELECT value FROM meta WHERE key = \(key)", as: String.self)
    }

    static func setMeta(_ key: String, _ value: String, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO meta (key, value) VALUES (\(key), \(value)) ON CONFLICT (key) DO UPDATE
            SET value = excluded.value
            """)
    }
}

extension FeedDatabase {
    /// Writes to the database, to test whether it can store anything.
    /// - Parameter folder: The data folder, to whose disk files are uploaded.
    /// - Throws: ``FeedError`` with the reason why nothing can be stored.
    package func probe(folder: String) async throws {
        guard !DiskSpace.isFull(at: folder) else {
            throw FeedError(.diskFull, "The disk is full", hint: "Free some space; nothing was lost.")
        }
        try await setMeta("probed_at", String(clock.now()))
    }
}

/// The amount of stored data.
package struct FeedSizes: Sendable, Equatable {
    package var accounts: Int
    package var statuses: Int
    /// The size of the database in bytes, with the write-ahead log of SQLite.
    package var databaseBytes: Int64
    /// The size of all uploaded files in bytes. Content that several files share counts once.
    package var fileBytes: Int64
}

extension FeedDatabase {
    package var engineName: String { sqlite == nil ? "PostgreSQL" : "SQLite" }

    package func sizes() async throws -> FeedSizes {
        let counts = try await AccountStore(self).counts()
        let fileBytes = try await read { db in
            try db.fetchOne(
                """
                SELECT CAST(coalesce(sum(size), 0) AS BIGINT)
                FROM (SELECT blob, max(size) AS size FROM (
                    SELECT blob, size FROM file
                    UNION ALL SELECT blob, size FROM media WHERE blob IS NOT NULL
                    UNION ALL SELECT thumbnail, thumbnail_size FROM media WHERE thumbnail IS NOT NULL
                ) AS named GROUP BY blob) AS stored
                """, as: Int64.self) ?? 0
        }
        return FeedSizes(
            accounts: counts.accounts, statuses: counts.statuses, databaseBytes: try await bytes(),
            fileBytes: fileBytes)
    }
}
