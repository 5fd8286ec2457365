import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system calls that touch the disk. Tests make any of them fail through ``injectedError``.
struct FileCalls: Sendable {
    enum Call: Sendable { case open, lock, status, freeSpace, read, write, sync, truncate, rename, remove }

    static let system = FileCalls()

    /// Consulted before each call; a returned `errno` value makes the call fail with it.
    var injectedError: @Sendable (Call) -> CInt? = { _ in nil }
    /// Overrides the free space that the file system reports, in bytes.
    var reportedFreeSpace: Int64?

    func open(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
        fails(.open) ? -1 : openFile(path, flags, mode)
    }

    /// Takes an exclusive advisory lock without waiting; fails with `EWOULDBLOCK` if another process holds it.
    func lock(_ file: CInt) -> CInt { fails(.lock) ? -1 : flock(file, LOCK_EX | LOCK_NB) }

    func status(_ file: CInt, _ status: inout stat) -> CInt { fails(.status) ? -1 : fstat(file, &status) }

    /// The status of a path, without following a symbolic link.
    func status(_ path: String, _ status: inout stat) -> CInt { fails(.status) ? -1 : lstat(path, &status) }

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

    func write(_ file: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        fails(.write) ? -1 : pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
    }

    func append(_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        fails(.write) ? -1 : writeBytes(file, bytes)
    }

    /// Makes a file or folder durable, including its metadata.
    func sync(_ file: CInt) -> CInt { fails(.sync) ? -1 : syncFile(file) }

    /// Makes the bytes of a file durable.
    func syncData(_ file: CInt) -> CInt { fails(.sync) ? -1 : syncFileData(file) }

    func truncate(_ file: CInt, to size: Int64) -> CInt { fails(.truncate) ? -1 : ftruncate(file, off_t(size)) }

    func rename(_ from: String, to: String) -> CInt { fails(.rename) ? -1 : renameFile(from, to) }

    /// Renames a file; fails with `EEXIST` instead of replacing another one.
    func renameWithoutReplacing(_ from: String, to: String) -> CInt {
        if fails(.rename) { return -1 }
        guard link(from, to) != 0 else {
            unlink(from)
            return 0
        }
        // Some file systems do not support hard links.
        guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { return -1 }
        var status = stat()
        guard lstat(to, &status) != 0 else {
            errno = EEXIST
            return -1
        }
        return renameFile(from, to)
    }

    /// Removes a file; succeeds if it does not exist.
    func remove(_ path: String) -> CInt { fails(.remove) ? -1 : unlink(path) == 0 || errno == ENOENT ? 0 : -1 }

    private func fails(_ call: Call) -> Bool {
        guard let code = injectedError(call) else { return false }
        errno = code
        return true
    }
}

// At file scope, these names mean the C functions, not the methods above.

private func openFile(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt { open(path, flags, mode) }

private func writeBytes(_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}

private func renameFile(_ from: String, _ to: String) -> CInt { rename(from, to) }

#if canImport(Darwin)
    /// On Darwin, `fsync` leaves the bytes in the drive's cache. Some file systems do not support `F_FULLFSYNC`.
    private func syncFile(_ file: CInt) -> CInt { fcntl(file, F_FULLFSYNC) != -1 ? 0 : fsync(file) }

    /// Darwin does not declare `fdatasync`.
    private func syncFileData(_ file: CInt) -> CInt { syncFile(file) }
#else
    private func syncFile(_ file: CInt) -> CInt { fsync(file) }

    private func syncFileData(_ file: CInt) -> CInt { fdatasync(file) }
#endif
