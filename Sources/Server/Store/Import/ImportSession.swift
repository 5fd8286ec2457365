package import FeedCore
import FeedFolders
import Foundation
import Synchronization

/// An import: staged invisibly in short transactions, then published in a final one, or removed.
///
/// ```swift
/// let session = try await ImportSession.begin(in: database)
/// try await session.add(records)
/// try await session.attach(processed(session.takeFiles()))
/// let report = try await session.publish()
/// ```
package final class ImportSession: Sendable {
    /// The number of records staged per transaction. A transaction takes well under 100 ms, so that posting remains
    /// possible.
    private static let batch = 500

    let database: FeedDatabase
    private let lock: any ImportLocking
    private let id: Int64
    let state: Mutex<ImportState>

    private init(database: FeedDatabase, lock: any ImportLocking, id: Int64, limits: MediaLimits) {
        self.database = database
        self.lock = lock
        self.id = id
        state = Mutex(ImportState(importID: id, now: database.clock.now(), limits: limits))
    }

    /// Starts an import, after removing the rows of an interrupted one.
    /// - Parameter limits: The limits on attached files.
    /// - Throws: ``FeedError`` `.conflict` while another import into the same feed is running.
    package static func begin(in database: FeedDatabase, limits: MediaLimits = MediaLimits()) async throws
        -> ImportSession
    {
        let lock = try database.engine.lockImports()
        try await sweep(database)
        let now = database.clock.now()
        let id = try await database.commits.write { db in
            let id = try db.nextID(now: now)
            try db.execute("INSERT INTO staged_import (id, started_at) VALUES (\(id), \(now))")
            return id
        }
        return ImportSession(database: database, lock: lock, id: id, limits: limits)
    }

    /// Stages records; `line` counts from 1 and identifies the record in errors.
    /// - Throws: ``FeedError`` `.malformed` for a record that cannot be imported; call ``abandon()`` then.
    package func add(_ records: [(line: Int, record: ImportRecord)]) async throws {
        for batch in records.chunks(of: Self.batch) {
            try await database.commits.write(isRepeatable: false) { [self] db in
                try requireStaged(in: db)
                try state.withLock { state in
                    for (line, record) in batch { try state.apply(record, line: line, in: db) }
                }
            }
        }
    }

    /// Performs the checks that require the whole file. ``publish()`` performs them, too.
    /// - Throws: ``FeedError`` `.malformed`; call ``abandon()`` then.
    package func checkComplete() throws { try state.withLock { try $0.checkTargets() } }

    /// Makes the whole import visible at once.
    /// - Throws: ``FeedError`` `.malformed`, as ``checkComplete()``.
    package func publish() async throws -> ImportReport {
        try checkComplete()
        while try await database.commits.write(
            isRepeatable: false,
            { [self] db in
                try requireStaged(in: db)
                return try state.withLock { try $0.completeBatch(in: db) }
            })
        {}
        let now = database.clock.now()
        let report = try await database.commits.write(isRepeatable: false) { [self] db in
            try requireStaged(in: db)
            try state.withLock { try $0.finishPublishing(in: db) }
            try db.execute("DELETE FROM staged_import WHERE id = \(id)")
            if state.withLock({ $0.report.statuses > 0 }) { try SearchIndexing.request(in: db) }
            try db.log(.imported, at: now)
            return state.withLock { $0.report }
        }
        // Only statistics of a week: an import that cannot be counted has been published nevertheless.
        try? await countTags()
        release()
        return report
    }

    private func countTags() async throws {
        while try await database.commits.write(
            isRepeatable: false, { [self] db in try state.withLock { try $0.countTags(in: db) } })
        {}
    }

    /// Removes all staged rows.
    package func abandon() async throws -> ImportReport {
        try await Self.sweep(database, id: id)
        release()
        return state.withLock { $0.report }
    }

    /// Releases the lock, so that other imports may start. The lock is also released when the process ends.
    package func release() { lock.release() }

    /// The lock can be lost together with its connection; the next import then removes the rows of this one.
    func requireStaged(in db: Database) throws {
        let query: SQL = "SELECT id FROM staged_import WHERE id = \(id)"
        guard try db.fetchOne(query, as: Int64.self) == nil else { return }
        throw FeedError(.conflict, "the import has lost its lock", hint: "Import the file again.")
    }

    /// Deletes the rows of unpublished imports, at most 1,000 per transaction.
    /// - Parameter id: Only those of this import; `nil` for all.
    static func sweep(_ database: FeedDatabase, id: Int64? = nil) async throws {
        // While the statuses are there that name them.
        try await sweepMedia(database, staged(id))
        for (table, key) in [("follow", "follower_id, followee_id"), ("status", "id"), ("account", "id")] {
            while try await sweepBatch(database, id: id, table: table, key: key) > 0 {}
        }
        let staged = staged(id)
        try await database.commits.write { try $0.execute("DELETE FROM staged_import WHERE id IN (\(staged))") }
    }

    /// A query of the ids of unpublished imports.
    private static func staged(_ id: Int64?) -> SQL {
        id.map { "SELECT id FROM staged_import WHERE id = \($0)" } ?? "SELECT id FROM staged_import"
    }

    private static func sweepBatch(
        _ database: FeedDatabase, id: Int64?, table: String, key: String
    ) async throws -> Int {
        let staged = staged(id)
        return try await database.commits.write { db in
            guard try db.fetchOne("SELECT id FROM staged_import LIMIT 1", as: Int64.self) != nil else { return 0 }
            try db.execute(
                """
                DELETE FROM \(sql: table) WHERE (\(sql: key)) IN (
                    SELECT \(sql: key) FROM \(sql: table) WHERE import_id IN (\(staged)) LIMIT 1000)
                """)
            return try db.changesCount
        }
    }
}

/// The results of an import.
package struct ImportReport: Sendable, Equatable {
    package var accounts = 0
    package var follows = 0
    package var statuses = 0
    /// The number of attachments, avatars and headers.
    package var media = 0
    /// The number of records that already existed.
    package var known = 0

    package init() {}
}

/// Allows only one import into a folder at a time, and none during a repair of what imports count. The kernel releases
/// the lock when the process ends.
final class ImportLock: ImportLocking {
    static let fileName = SQLiteDatabase.fileName + ".import-lock"

    private let descriptor: Mutex<Int32?>

    /// - Throws: ``FeedError`` `.conflict` if an import or a check holds the lock.
    init(folder: Folder) throws {
        let file: Int32
        do { file = try folder.openLockFile(Self.fileName) } catch { throw FeedError.unwritable(folder, error) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw FeedError(
                .conflict, "an import or a check is running on this folder", hint: "Wait until it has finished.")
        }
        descriptor = Mutex(file)
    }

    func release() {
        descriptor.withLock { file in
            guard let open = file else { return }
            // Closing is not enough while a process that is just being started has inherited the descriptor.
            flock(open, LOCK_UN)
            close(open)
            file = nil
        }
    }

    deinit { release() }
}
