import FeedCore
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

    private var lock: CollectionLock { CollectionLock(path: folder + "/blobs.lock") }

    package func list(prefix: UInt8) async throws -> [String] {
        let folder = folder
        return try await threads.runIfActive { Self.list(prefix: prefix, in: folder) }
    }

    /// The hashes of all blobs in a folder whose first byte is `prefix`.
    static func list(prefix: UInt8, in folder: String) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder + "/blobs/" + Hexadecimal.text([prefix])) else {
            return []
        }
        return names.compactMap { name in
            let last = (name as? String)?.split(separator: "/").last.map(String.init) ?? ""
            return last.utf8.count == 64 ? last : nil
        }
    }

    package func remove(_ hashes: [String], grace: Int64) async throws -> [Int64] {
        try await threads.runIfActive { [self] in
            let now = Int64(Date().timeIntervalSince1970)
            return hashes.compactMap { hash in
                var status = stat()
                guard stat(path(hash), &status) == 0, now - Int64(status.st_mtim.tv_sec) >= grace,
                    unlink(path(hash)) == 0
                else { return nil }
                return Int64(status.st_size)
            }
        }
    }

    @discardableResult
    package func removeUnfinished() async throws -> Int {
        try await threads.runIfActive { [self] in
            try FileManager.default.contentsOfDirectory(atPath: temporaryFolder).filter { name in
                let holder = String(name.prefix { $0 != Self.lockOwnerSeparator })
                if holder != name, isHeld(holder) { return false }
                return whileUnlocked(name) { unlink($0) == 0 } ?? false
            }.count
        }
    }

    /// Whether a file exists and is locked by a running upload. The lock is checked before the existence: if the file
    /// is missing at the second check, its upload has ended and published or discarded the files that the lock
    /// protected.
    private func isHeld(_ name: String) -> Bool {
        whileUnlocked(name) { _ in true } == nil && access(temporaryFolder + "/" + name, F_OK) == 0
    }

    /// - Returns: The result of `body`, or `nil` if the file is missing or locked.
    private func whileUnlocked(_ name: String, _ body: (String) -> Bool) -> Bool? {
        let path = temporaryFolder + "/" + name
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return body(path)
    }
}
