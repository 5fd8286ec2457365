import Foundation

/// Replaces small files atomically: after a crash, either the old or the new content is complete.
enum DurableFile {
    /// Writes `data` to a temporary file, syncs it, renames it to `path`, and syncs the folder.
    /// - Parameter hasSingleWriter: Whether no other process writes this file, so that the temporary file of a crashed
    ///   process may be overwritten.
    /// - Throws: ``FeedClientError`` `.disk`.
    static func replace(
        _ path: String, with data: Data, mode: mode_t = 0o600, hasSingleWriter: Bool = false,
        calls: FileCalls = .system
    ) throws(FeedClientError) {
        let temporary =
            hasSingleWriter ? temporaryPath(path) : path + ".new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let flags = hasSingleWriter ? O_TRUNC : O_EXCL
        let file = calls.open(temporary, O_WRONLY | O_CREAT | flags | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw failure("create", temporary) }
        do throws(FeedClientError) {
            try write(data, to: file, path: temporary, calls: calls)
            guard calls.sync(file) == 0 else { throw failure("sync", temporary) }
            close(file)
        } catch {
            close(file)
            unlink(temporary)
            throw error
        }
        guard calls.rename(temporary, to: path) == 0 else {
            let error = failure("replace", path)
            unlink(temporary)
            throw error
        }
        try syncFolder(of: path, calls: calls)
    }

    /// The temporary file of a path with a single writer.
    static func temporaryPath(_ path: String) -> String { path + ".new" }

    /// Makes a rename or a removal durable.
    static func syncFolder(of path: String, calls: FileCalls = .system) throws(FeedClientError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let file = calls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", folder) }
        defer { close(file) }
        guard calls.sync(file) == 0 else { throw failure("sync", folder) }
    }

    private static func write(
        _ data: Data, to file: CInt, path: String, calls: FileCalls
    ) throws(FeedClientError) {
        var offset = 0
        while offset < data.count {
            let count = data.withUnsafeBytes { calls.append(file, UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            offset += count
        }
    }

    /// Describes the system call that has just failed with `errno`.
    static func failure(_ action: String, _ path: String) -> FeedClientError {
        let code = errno
        let hint =
            switch code {
            case ENOSPC, EDQUOT: "Free some space and try again."
            case EACCES, EPERM, EROFS: "Choose a folder that you may write to."
            case EFBIG: "Choose a file system that supports larger files."
            default: "Check the disk and the path."
            }
        return FeedClientError(
            .disk, "Cannot \(action) \(path): \(String(cString: strerror(code)))", hint: hint,
            cause: POSIXErrorCode(rawValue: code).map { POSIXError($0) })
    }
}
