import FeedCore
import FeedFolders
import Foundation

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
struct BlobLock {
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
