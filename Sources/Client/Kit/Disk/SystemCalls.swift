import FeedFolders
import Foundation
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system calls that touch the disk. Tests make any of them fail through ``injectedError``.
///
/// Files are named relative to an open folder, and symbolic links in it are never followed.
struct SystemCalls: Sendable {
    enum Call: Sendable { case open, lock, status, freeSpace, read, write, sync, truncate, rename, remove }

    static let system = SystemCalls()

    /// Consulted before each call; a returned `errno` value makes the call fail with it.
    var injectedError: @Sendable (Call) -> CInt? = { _ in nil }
    /// Overrides the free space that the file system reports, in bytes.
    var reportedFreeSpace: Int64?

    // MARK: Folders

    /// Opens a folder. Its path may be a symbolic link, or contain some.
    func folder(_ path: String) throws(FolderError) -> Folder {
        if fails(.open) { throw FolderError(call: "open", path: path, code: errno) }
        return try Folder(path)
    }

    /// Opens a folder in another one.
    /// - Parameter creating: Whether to create it if it is missing, so that only the owner can access it.
    func folder(_ name: String, in folder: Folder, creating: Bool = false) throws(FolderError) -> Folder {
        if fails(.open) { throw FolderError(call: "open", path: folder.path(name), code: errno) }
        return try folder.folder(name, creating: creating)
    }

    // MARK: Names

    /// Opens a file. A named pipe does not block.
    func open(_ name: String, in folder: Folder, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
        let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        return fails(.open) ? -1 : openat(folder.descriptor, name, flags, mode)
    }

    /// The status of whatever has a name: a file, a folder or a link.
    func status(_ name: String, in folder: Folder, _ status: inout stat) -> CInt {
        fails(.status) ? -1 : fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
    }

    /// Renames a file, and replaces one that has the new name.
    func rename(_ name: String, to newName: String, in folder: Folder) -> CInt {
        fails(.rename) ? -1 : renameat(folder.descriptor, name, folder.descriptor, newName)
    }

    /// Renames a file; fails with `EEXIST` instead of replacing another one.
    func renameWithoutReplacing(_ name: String, to newName: String, in folder: Folder) -> CInt {
        if fails(.rename) { return -1 }
        guard linkat(folder.descriptor, name, folder.descriptor, newName, 0) != 0 else {
            _ = unlinkat(folder.descriptor, name, 0)
            return 0
        }
        // Some file systems do not support hard links. Swift cannot call `renameat2`.
        guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { return -1 }
        guard folder.status(newName) == nil else {
            errno = EEXIST
            return -1
        }
        return renameat(folder.descriptor, name, folder.descriptor, newName)
    }

    /// Removes a file; succeeds if it does not exist.
    func remove(_ name: String, in folder: Folder) -> CInt {
        fails(.remove) ? -1 : unlinkat(folder.descriptor, name, 0) == 0 || errno == ENOENT ? 0 : -1
    }

    // MARK: Open files

    /// Takes an exclusive advisory lock without waiting; fails with `EWOULDBLOCK` if another process holds it.
    func lock(_ file: CInt) -> CInt { fails(.lock) ? -1 : flock(file, LOCK_EX | LOCK_NB) }

    func status(_ file: CInt, _ status: inout stat) -> CInt { fails(.status) ? -1 : fstat(file, &status) }

    /// The number of bytes that this process may still write to the file system of `file`, or `nil` if unknown.
    func freeSpace(_ file: CInt) -> Int64? {
        if let reportedFreeSpace { return reportedFreeSpace }
        var status = statvfs()
        guard !fails(.freeSpace), fstatvfs(file, &status) == 0 else { return nil }
        let (bytes, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflows ? Int64.max : Int64(clamping: bytes)
    }

    func read(_ file: CInt, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        fails(.read) ? -1 : pread(file, bytes.baseAddress, bytes.count, off_t(offset))
    }

    /// Reads a file from its beginning.
    /// - Parameter path: The file, for the error.
    /// - Returns: The whole content, or somewhat more than `limit` bytes if there are more.
    /// - Throws: ``FeedClientError`` `.disk`.
    func contents(of file: CInt, _ path: String, limit: Int) throws(FeedClientError) -> Data {
        var data = Data()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { block.deallocate() }
        while data.count <= limit {
            let count = read(file, block, at: Int64(data.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw AtomicFile.failure("read", path) }
            if count == 0 { break }
            data.append(contentsOf: block[..<count])
        }
        return data
    }

    func write(_ file: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        fails(.write) ? -1 : pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
    }

    /// Makes a file or folder durable, including its metadata.
    func sync(_ file: CInt) -> CInt { fails(.sync) ? -1 : syncFile(file) }

    /// Makes the bytes of a file durable.
    func syncData(_ file: CInt) -> CInt { fails(.sync) ? -1 : syncFileData(file) }

    func truncate(_ file: CInt, to size: Int64) -> CInt { fails(.truncate) ? -1 : ftruncate(file, off_t(size)) }

    private func fails(_ call: Call) -> Bool {
        guard let code = injectedError(call) else { return false }
        errno = code
        return true
    }
}

#if canImport(Darwin)
    /// On Darwin, `fsync` leaves the bytes in the drive's cache. Some file systems do not support `F_FULLFSYNC`.
    private func syncFile(_ file: CInt) -> CInt { fcntl(file, F_FULLFSYNC) != -1 ? 0 : fsync(file) }

    /// Darwin does not declare `fdatasync`.
    private func syncFileData(_ file: CInt) -> CInt { syncFile(file) }
#else
    private func syncFile(_ file: CInt) -> CInt { fsync(file) }

    private func syncFileData(_ file: CInt) -> CInt { fdatasync(file) }
#endif

/// Threads for blocking calls: disk I/O must delay neither an event loop nor the cooperative thread pool.
enum DiskThreads {
    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 8)
        pool.start()
        return pool
    }()

    /// Runs `body` to completion even if the task is cancelled, because a write that has started must be recorded.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            pool.submit { _ in continuation.resume(with: Result { try body() }) }
        }
    }
}
