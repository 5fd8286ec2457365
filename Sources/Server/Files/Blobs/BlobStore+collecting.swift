package import FeedCore
import FeedFolders
import Foundation
import NIOPosix

extension BlobStore {
    package func whilePublishing<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        let descriptor = try await lock.acquireForPublishing()
        defer { close(descriptor) }
        return try await body()
    }

    package func whileCollecting<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value? {
        guard let descriptor = try await lock.acquireForCollecting() else { return nil }
        defer { close(descriptor) }
        return try await body()
    }

    package func whileKeeping<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        let descriptor = try await lock.acquireForKeeping()
        defer { close(descriptor) }
        return try await body()
    }

    private var lock: CollectionLock { CollectionLock(folder: root) }

    package func list(prefix: UInt8) async throws -> [BlobHash] {
        try await threads.runIfActive { [blobs] in blobs.list(prefix: prefix) }
    }

    package func remove(_ hashes: [BlobHash], grace: Int64) async throws -> [Int64] {
        try await threads.runIfActive { [blobs] in hashes.compactMap { blobs.remove($0, age: grace) } }
    }

    @discardableResult
    package func removeUnfinished() async throws -> Int {
        try await threads.runIfActive { [self] in
            do {
                let folder = try temporaryFolder()
                return try folder.names().filter { Self.removeIfUnfinished($0, in: folder) }.count
            } catch let error as FolderError {
                throw BlobError.failed(error)
            }
        }
    }

    private static func removeIfUnfinished(_ name: String, in folder: Folder) -> Bool {
        guard let holder = TemporaryBlobName.holder(of: name), holder == name || !isHeld(holder, in: folder) else {
            return false
        }
        return whileUnlocked(name, in: folder) { (try? folder.removeFile(name)) == true } ?? false
    }

    /// Whether a file exists and is locked by a running upload. The lock is checked before the existence: if the file
    /// is missing at the second check, its upload has ended and published or discarded the files that the lock
    /// protected.
    private static func isHeld(_ name: String, in folder: Folder) -> Bool {
        whileUnlocked(name, in: folder) { true } == nil && folder.status(name) != nil
    }

    /// - Returns: The result of `body`, or `nil` if the file is missing or locked.
    private static func whileUnlocked(_ name: String, in folder: Folder, _ body: () -> Bool) -> Bool? {
        guard let file = try? folder.openFile(name) else { return nil }
        defer { close(file) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return body()
    }
}
