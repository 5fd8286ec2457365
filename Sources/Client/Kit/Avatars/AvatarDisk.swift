import FeedAPI
import FeedFolders
import Foundation
import GRDB

/// Pictures on disk. Methods do not throw; a failing disk is treated as empty. Files are also accessed on the
/// database's queue, so that no thread of the cooperative pool waits for the disk.
final class AvatarDisk: Sendable {
    /// The time that one process waits for another, in seconds.
    private static let busyTimeout = Double(Timeout.seconds(2))

    private let limit: Int64
    private let files: AvatarFiles
    private let database: ReplaceableDatabase

    /// - Parameters:
    ///   - limit: The total size of all pictures, in bytes.
    ///   - time: Pictures that were last used before are removed, in milliseconds since 1970.
    /// - Throws: ``FeedClientError`` `.disk` if the folder cannot be created or written, or if what is stored in it is a
    ///   symbolic link.
    init(folder: String, limit: Int64, usedSince time: Int64) throws(FeedClientError) {
        let files = AvatarFiles(folder: folder)
        (self.limit, self.files) = (limit, files)
        database = ReplaceableDatabase(
            folder: folder, name: "avatars.sqlite", busyTimeout: AvatarDisk.busyTimeout, isCheckedWhenOpened: true
        ) { queue in
            try queue.inTransaction(.immediate) { db in
                try AvatarIndex(db: db, files: files).prepare(limit: limit, usedSince: time)
                return .commit
            }
        }
        try ClientFolders.create(folder)
        guard access(folder, W_OK | X_OK) == 0 else { throw AtomicFile.failure("write to", folder) }
        try files.refuseLink()
        try database.refuseLinks()
        try? database.open()
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

    func close() { database.close() }

    private func perform<Value: Sendable>(_ work: @Sendable (AvatarIndex) throws -> Value?) async -> Value? {
        try? await database.perform { [files] queue in
            try await queue.writeWithoutTransaction { db in try work(AvatarIndex(db: db, files: files)) }
        }
    }
}
