import Foundation
import GRDB
import Synchronization

/// Pictures on disk. Its calls never fail: a disk that does not serve is as good as an empty one. Files are touched on the
/// index's own queue too, so that nobody waits for the disk on a thread that others need.
final class AvatarDisk: Sendable {
    private struct State {
        var queue: DatabaseQueue?
        var isClosed = false
    }

    private let folder: String
    private let limit: Int64
    private let files: AvatarFiles
    private let state = Mutex(State())

    /// - Parameter limit: Bytes of all pictures together.
    /// - Throws: ``FeedClientError`` `.disk` when the folder cannot be made or written to.
    init(folder: String, limit: Int64) throws(FeedClientError) {
        self.folder = folder
        self.limit = limit
        files = AvatarFiles(folder: folder + "/avatars")
        try Places.make(folder)
        guard access(folder, W_OK | X_OK) == 0 else { throw DurableFile.failure("write to", folder) }
        _ = queue()
    }

    func find(_ url: String) async -> AvatarEntry? { await perform { try $0.entry(url) } }

    /// - Parameter used: When other addresses were used last (milliseconds since 1970).
    func keep(_ entry: AvatarEntry, at url: String, usedAt: Int64, used: [String: Int64]) async {
        guard Int64(entry.bytes.count) <= limit else { return await forget(url) }
        _ = await perform { [limit] index in
            try index.keep(entry, at: url, usedAt: usedAt, used: used, limit: limit)
            return true
        }
    }

    func touch(_ used: [String: Int64]) async {
        guard !used.isEmpty else { return }
        _ = await perform { index in
            try index.db.inTransaction(.immediate) {
                try index.touch(used)
                return .commit
            }
            return true
        }
    }

    func forget(_ url: String) async {
        _ = await perform { index in
            try index.forget(url)
            return true
        }
    }

    func totals() async -> AvatarIndex.Totals? { await perform { try $0.totals() } }

    /// - Returns: Whether everything is gone.
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

    /// A failure that may lie in the file is answered by opening it anew, once.
    private func perform<Value: Sendable>(_ work: @Sendable (AvatarIndex) throws -> Value?) async -> Value? {
        for _ in 0..<2 {
            guard let queue = queue() else { return nil }
            do {
                return try await queue.writeWithoutTransaction { [files] db in
                    try work(AvatarIndex(db: db, files: files))
                }
            } catch let error as DatabaseError where !Self.isPassing(error) {
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
            if state.queue == nil { state.queue = try? opened() }
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

    /// Opens the index; one that is damaged is thrown away.
    private func opened() throws -> DatabaseQueue {
        do {
            return try prepared()
        } catch let error as DatabaseError where Self.isDamage(error) {
            for suffix in ["", "-journal"] { unlink(path + suffix) }
            return try prepared()
        }
    }

    private func prepared() throws -> DatabaseQueue {
        try Places.make(folder)
        let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
        try queue.inTransaction(.immediate) { db in
            try AvatarIndex(db: db, files: files).prepare(limit: limit)
            return .commit
        }
        return queue
    }

    /// With the rollback journal, unlike a write-ahead log, SQLite notices when the file has been deleted meanwhile.
    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// What is wrong with the moment rather than with the file.
    private static func isPassing(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_ABORT: true
        default: false
        }
    }

    /// What no later try can heal.
    private static func isDamage(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT: true
        default: false
        }
    }
}
