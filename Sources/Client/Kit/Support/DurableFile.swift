import Foundation

/// Writes small files so that after any crash there is the old one or the new one, whole.
enum DurableFile {
    /// Replaces `path`: written beside, synced, renamed, and the folder synced.
    /// - Throws: ``FeedClientError`` `.disk`.
    /// - Parameter isAlone: Nobody else writes this file, so what a crash left beside it can be written over.
    static func replace(
        _ path: String, with data: Data, mode: mode_t = 0o600, isAlone: Bool = false, calls: FileCalls = .system
    ) throws(FeedClientError) {
        let temporary = isAlone ? besides(path) : path + ".new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let flags = isAlone ? O_TRUNC : O_EXCL
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
        guard calls.rename(temporary, path) == 0 else {
            let error = failure("replace", path)
            unlink(temporary)
            throw error
        }
        try syncFolder(of: path, calls: calls)
    }

    /// Where a file that one writes alone is written first.
    static func besides(_ path: String) -> String { path + ".new" }

    /// Makes a rename or a removal durable.
    static func syncFolder(of path: String, calls: FileCalls = .system) throws(FeedClientError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let file = calls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", folder) }
        defer { close(file) }
        guard calls.sync(file) == 0 else { throw failure("sync", folder) }
    }

    /// Writes all of `data`, or throws.
    static func write(
        _ data: Data, to file: Int32, path: String, calls: FileCalls = .system
    ) throws(FeedClientError) {
        var offset = 0
        while offset < data.count {
            let count = data.withUnsafeBytes { calls.append(file, UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            offset += count
        }
    }

    /// What a failed system call means for the person.
    static func failure(_ action: String, _ path: String) -> FeedClientError {
        let code = errno
        let hint =
            switch code {
            case ENOSPC, EDQUOT: "Free some space and try again."
            case EACCES, EPERM, EROFS: "Choose a folder you may write to."
            case EFBIG: "Choose a disk that takes larger files."
            default: "Check the disk and the path."
            }
        return FeedClientError(
            .disk, "Cannot \(action) \(path): \(String(cString: strerror(code)))", hint: hint,
            cause: POSIXErrorCode(rawValue: code).map { POSIXError($0) })
    }
}
