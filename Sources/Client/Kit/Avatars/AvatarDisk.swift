import Foundation
import GRDB
import Synchronization

/// Pictures on disk. Methods do not throw; a failing disk is treated as empty. Files are also accessed on the
/// database's queue, so that no thread of the cooperative pool waits for the disk.
final class AvatarDisk: Sendable {
    private struct State {
        var queue: DatabaseQueue?
        var isClosed = false
    }

    private let folder: String
    private let limit: Int64
    private let files: AvatarFiles
    private let state = Mutex(State())

    /// - Parameter limit: The total size of all pictures, in bytes.
    /// - Throws: ``FeedClientError`` `.disk` if the folder cannot be created or written.
    init(folder: String, limit: Int64) throws(FeedClientError) {
        self.folder = folder
        self.limit = limit
        files = AvatarFiles(folder: folder + "/avatars")
        try ClientFolders.create(folder)
        guard access(folder, W_OK | X_OK) == 0 else { throw DurableFile.failure("write to", folder) }
        _ = queue()
    }

    func entry(_ url: String) async -> AvatarEntry? { await perform { try $0.entry(url) } }

    /// - Parameter otherUses: The times at which other pictures were last used, in milliseconds since 1970.
    func store(_ entry: AvatarEntry, at url: String, usedAt: Int64, otherUses: [String: Int64]) async {
        guard Int64(entry.bytes.count) <= limit else { return await remove(url) }
        _ = await perform { [limit] index in
            try index.store(entry, at: url, usedAt: usedAt, otherUses: otherUses, limit: limit)
            return true
        }
    }

    /// Saves the times at which pictures were last used, in milliseconds since 1970.
    func recordUses(_ uses: [String: Int64]) async {
        guard !uses.isEmpty else { return }
        _ = await perform { index in
            try index.db.inTransaction(.immediate) {
                try index.recordUses(uses)
                return .commit
            }
            return true
        }
    }

    func remove(_ url: String) async {
        _ = await perform { index in
            try index.remove(url)
            return true
        }
    }

    func totals() async -> AvatarIndex.Totals? { await perform { try $0.totals() } }

    /// Removes damaged pictures, each in an access of its own, so that other processes need not wait for all of them.
    /// - Returns: Their number; `nil` if the index cannot be read.
    func verify() async -> Int? {
        guard let urls = await perform({ try $0.urls() }) else { return nil }
        var damaged = 0
        for url in urls {
            guard let isIntact = await perform({ try $0.isIntact(url) }) else { return nil }
            if !isIntact { damaged += 1 }
        }
        return damaged
    }

    /// - Returns: Whether all pictures were removed.
    func clear() async -> Bool {
        await perform { index in
            try index.removeAll()
            return true
        } ?? false
    }

    func close() {
        let queue = state.withLock { state in
            state.isClosed = true
            defer { state.queue = nil }
            return state.queue
        }
        try? queue?.close()
    }

    /// Reopens the database once after an error that may be due to a damaged or deleted file.
    private func perform<Value: Sendable>(_ work: @Sendable (AvatarIndex) throws -> Value?) async -> Value? {
        for _ in 0..<2 {
            guard let queue = queue() else { return nil }
            do {
                return try await queue.writeWithoutTransaction { [files] db in
                    try work(AvatarIndex(db: db, files: files))
                }
            } catch let error as DatabaseError where !Self.isTransient(error) {
                drop(queue)
            } catch {
                return nil
            }
        }
        return nil
    }

    private func queue() -> DatabaseQueue? {
        state.withLock { state -> DatabaseQueue? in
            if state.isClosed { return nil }
            if state.queue == nil { state.queue = try? open() }
            return state.queue
        }
    }

    private func drop(_ queue: DatabaseQueue) {
        state.withLock { state in
            if state.queue === queue { state.queue = nil }
        }
        try? queue.close()
    }
}

extension AvatarDisk {
    private var path: String { folder + "/avatars.sqlite" }

    /// Opens the index, or a new one if it is corrupt. SQLite reports a disk that fails for a moment like a corrupt file,
    /// so the index is discarded only if it is corrupt twice.
    private func open() throws -> DatabaseQueue {
        for _ in 0..<2 {
            do { return try openOnce() } catch let error as DatabaseError where Self.isCorruption(error) {}
        }
        for suffix in ["", "-journal"] { unlink(path + suffix) }
        return try openOnce()
    }

    private func openOnce() throws -> DatabaseQueue {
        try ClientFolders.create(folder)
        let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
        try queue.inTransaction(.immediate) { db in
            try AvatarIndex(db: db, files: files).prepare(limit: limit)
            return .commit
        }
        return queue
    }

    /// Uses the rollback journal, because with a write-ahead log SQLite would not notice that the file was deleted.
    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// Errors that do not indicate a problem with the file.
    private static func isTransient(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_ABORT: true
        default: false
        }
    }

    /// Errors that recur until the file is replaced.
    private static func isCorruption(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT: true
        default: false
        }
    }
}
