import FeedCore
import Foundation

/// Keeps uploads and the collector apart, also in different processes: between the rename of a blob and the insertion of its
/// row nothing refers to it, and the collector must not take it for garbage.
///
/// Two bytes of one file are locked, with locks that belong to the open file (`F_OFD_SETLKW`, fcntl(2)). Uploads share both;
/// the collector takes both for itself. The first one is the gate: while the collector waits for the second, no further upload
/// passes, so a busy server cannot keep it waiting for ever.
struct CollectionLock {
    private static let gate: off_t = 0
    private static let use: off_t = 1
    private static let setAndWait: Int32 = 38

    let path: String

    /// - Returns: The open file that holds the lock; closing it releases the lock.
    func acquire(exclusive: Bool) throws -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BlobError.failed("open", errno) }
        do {
            let type = Int16(exclusive ? F_WRLCK : F_RDLCK)
            try Self.set(type, Self.gate, descriptor)
            try Self.set(type, Self.use, descriptor)
            if !exclusive { try Self.set(Int16(F_UNLCK), Self.gate, descriptor) }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func set(_ type: Int16, _ byte: off_t, _ descriptor: Int32) throws {
        var lock = flock()
        lock.l_type = type
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = byte
        lock.l_len = 1
        while fcntl(descriptor, setAndWait, &lock) != 0 {
            guard errno == EINTR else { throw BlobError.failed("fcntl", errno) }
        }
    }
}
