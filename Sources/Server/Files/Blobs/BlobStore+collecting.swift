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

/// Excludes uploads and the collector from each other, even across processes. A blob is unreferenced between its rename
/// and the insertion of its row; the collector must not remove it then.
///
/// The lock consists of two bytes of one file, locked with open file description locks (`F_OFD_SETLK`, fcntl(2)).
/// Uploads lock both bytes shared, the collector locks both exclusively. While the collector holds the first byte and
/// waits for the second, no further upload can start, so the collector does not starve on a busy server.
///
/// A third byte holds off the collector for as long as a backup or a check takes, without delaying uploads: a process
/// that needs all blobs to stay holds a shared lock on it; the collector tries to lock it exclusively and gives up if
/// that fails. The kernel releases all locks when the process ends.
struct CollectionLock {
    private static let gate: off_t = 0
    private static let use: off_t = 1
    private static let hold: off_t = 2
    /// `F_OFD_SETLK`, which Swift does not import.
    private static let set: Int32 = 37

    private static let name = "blobs.lock"

    /// The data folder.
    let folder: Folder

    /// Locks for an upload. All functions wait without blocking a thread, because the holder of the lock may need that
    /// thread.
    /// - Returns: The open file that holds the lock; closing it releases the lock.
    func acquireForPublishing() async throws -> Int32 {
        try await acquire { descriptor in
            try await Self.lock(Int16(F_RDLCK), Self.gate, descriptor)
            try await Self.lock(Int16(F_RDLCK), Self.use, descriptor)
            _ = try Self.attempt(Int16(F_UNLCK), Self.gate, descriptor)
            return true
        }
    }

    /// Locks for the collector.
    /// - Returns: `nil` while blobs have to be kept.
    func acquireForCollecting() async throws -> Int32? {
        let descriptor = try await acquire { descriptor in
            try await Self.lock(Int16(F_WRLCK), Self.gate, descriptor)
            try await Self.lock(Int16(F_WRLCK), Self.use, descriptor)
            // Only one collector gets this far, so only a holder of blobs can have the byte.
            return try Self.attempt(Int16(F_WRLCK), Self.hold, descriptor)
        }
        return descriptor >= 0 ? descriptor : nil
    }

    /// Holds off the collector.
    func acquireForKeeping() async throws -> Int32 {
        try await acquire { descriptor in
            try await Self.lock(Int16(F_RDLCK), Self.hold, descriptor)
            return true
        }
    }

    /// - Parameter lock: Returns whether the open file got its locks.
    /// - Returns: The open file, or -1 without the locks.
    private func acquire(_ lock: (Int32) async throws -> Bool) async throws -> Int32 {
        let descriptor: Int32
        do { descriptor = try folder.openLockFile(Self.name) } catch { throw BlobError.failed(error) }
        do {
            if try await lock(descriptor) { return descriptor }
        } catch {
            close(descriptor)
            throw error
        }
        close(descriptor)
        return -1
    }

    private static func lock(_ type: Int16, _ byte: off_t, _ descriptor: Int32) async throws {
        var pause = Duration.microseconds(250)
        while try !attempt(type, byte, descriptor) {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(10))
        }
    }

    /// - Returns: `false` while another open file holds the lock.
    private static func attempt(_ type: Int16, _ byte: off_t, _ descriptor: Int32) throws -> Bool {
        var lock = flock()
        lock.l_type = type
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = byte
        lock.l_len = 1
        guard fcntl(descriptor, set, &lock) != 0 else { return true }
        guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw BlobError.failed("fcntl", errno) }
        return false
    }
}
