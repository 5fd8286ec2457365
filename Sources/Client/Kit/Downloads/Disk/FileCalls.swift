import Foundation

/// The system calls by which a download touches the disk. Tests put something in front that lets the n-th one fail.
struct FileCalls: Sendable {
    enum Call: Sendable { case open, lock, status, space, read, write, sync, truncate, rename, remove }

    static let system = FileCalls()

    /// Asked before each call: an error number makes it fail instead.
    var refusal: @Sendable (Call) -> CInt? = { _ in nil }

    func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        isRefused(.open) ? -1 : Glibc.open(path, flags, mode)
    }

    func lock(_ file: Int32) -> Int32 { isRefused(.lock) ? -1 : flock(file, LOCK_EX | LOCK_NB) }

    func status(_ file: Int32, _ status: inout stat) -> Int32 { isRefused(.status) ? -1 : fstat(file, &status) }

    func status(_ path: String, _ status: inout stat) -> Int32 { isRefused(.status) ? -1 : lstat(path, &status) }

    /// Stands in for the free space.
    var pretendedSpace: Int64?

    /// Bytes this process may still write beside `file`; `nil` when nobody knows.
    func space(_ file: Int32) -> Int64? {
        if let pretendedSpace { return pretendedSpace }
        var status = statvfs()
        guard !isRefused(.space), fstatvfs(file, &status) == 0 else { return nil }
        let (bytes, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflows ? Int64.max : Int64(clamping: bytes)
    }

    func read(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
        isRefused(.read) ? -1 : pread(file, bytes.baseAddress, bytes.count, off_t(offset))
    }

    func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
        isRefused(.write) ? -1 : pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
    }

    func append(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        isRefused(.write) ? -1 : Glibc.write(file, bytes.baseAddress, bytes.count)
    }

    func sync(_ file: Int32) -> Int32 { isRefused(.sync) ? -1 : fsync(file) }

    func syncData(_ file: Int32) -> Int32 { isRefused(.sync) ? -1 : fdatasync(file) }

    func truncate(_ file: Int32, _ size: Int64) -> Int32 { isRefused(.truncate) ? -1 : ftruncate(file, off_t(size)) }

    func rename(_ from: String, _ to: String) -> Int32 { isRefused(.rename) ? -1 : Glibc.rename(from, to) }

    /// Fails with `EEXIST` when something has the name.
    func renameWithoutReplacing(_ from: String, _ to: String) -> Int32 {
        if isRefused(.rename) { return -1 }
        guard link(from, to) != 0 else {
            unlink(from)
            return 0
        }
        // Some file systems know no second names.
        guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { return -1 }
        var status = stat()
        guard lstat(to, &status) != 0 else {
            errno = EEXIST
            return -1
        }
        return Glibc.rename(from, to)
    }

    /// What is not there is gone.
    func remove(_ path: String) -> Int32 { isRefused(.remove) ? -1 : unlink(path) == 0 || errno == ENOENT ? 0 : -1 }

    private func isRefused(_ call: Call) -> Bool {
        guard let code = refusal(call) else { return false }
        errno = code
        return true
    }
}
