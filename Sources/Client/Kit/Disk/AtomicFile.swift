import FeedFolders
import Foundation

/// Replaces small files atomically: after a crash, either the old or the new content is complete.
enum AtomicFile {
    /// Writes `data` to a temporary file, syncs it, renames it, and syncs the folder.
    /// - Throws: ``FeedClientError`` `.disk`.
    static func replace(
        _ name: String, in folder: Folder, with data: Data, calls: SystemCalls = .system
    ) throws(FeedClientError) {
        let temporary = TemporaryName.make(for: name)
        let file = try create(temporary, in: folder, calls: calls)
        do throws(FeedClientError) {
            defer { close(file) }
            try write(data, to: file, path: folder.path(temporary), calls: calls)
            guard calls.sync(file) == 0 else { throw failure("sync", temporary, in: folder) }
            guard calls.rename(temporary, to: name, in: folder) == 0 else { throw failure("replace", name, in: folder) }
        } catch {
            _ = try? folder.removeFile(temporary)
            throw error
        }
        try sync(folder, calls: calls)
    }

    /// Creates a file that only the owner can access, under a name that is not taken. Nothing that others have planted is
    /// opened.
    /// - Returns: A descriptor for reading and writing, which the caller closes.
    /// - Throws: ``FeedClientError`` `.disk`.
    static func create(
        _ name: String, in folder: Folder, calls: SystemCalls = .system
    ) throws(FeedClientError) -> CInt {
        let file = calls.open(name, in: folder, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { throw failure("create", name, in: folder) }
        return file
    }

    /// Makes renames and removals durable.
    /// - Throws: ``FeedClientError`` `.disk`.
    static func sync(_ folder: Folder, calls: SystemCalls = .system) throws(FeedClientError) {
        guard calls.sync(folder.descriptor) == 0 else { throw failure("sync", folder.path) }
    }

    private static func write(
        _ data: Data, to file: CInt, path: String, calls: SystemCalls
    ) throws(FeedClientError) {
        var offset = 0
        while offset < data.count {
            let count = data.withUnsafeBytes { bytes in
                calls.write(file, UnsafeRawBufferPointer(rebasing: bytes[offset...]), at: Int64(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            offset += count
        }
    }
}

// MARK: Errors

extension AtomicFile {
    /// Describes the system call that has just failed with `errno`.
    static func failure(_ action: String, _ path: String) -> FeedClientError { failure(action, path, code: errno) }

    /// Describes the system call on a name in a folder that has just failed with `errno`.
    static func failure(_ action: String, _ name: String, in folder: Folder) -> FeedClientError {
        let code = errno
        // Below a folder, links are not followed.
        return code == ELOOP ? symbolicLink(folder.path(name)) : failure(action, folder.path(name), code: code)
    }

    static func failure(_ action: String, _ error: FolderError) -> FeedClientError {
        error.isLink ? symbolicLink(error.path) : failure(action, error.path, code: error.code)
    }

    /// The error for a name that must not be a link, because the attacker who planted it would choose the file that is
    /// written or removed.
    static func symbolicLink(_ path: String) -> FeedClientError {
        FeedClientError(
            .disk, "\(path) is a symbolic link",
            hint: "Remove it: feedclient does not follow links in folders that it writes to.")
    }

    private static func failure(_ action: String, _ path: String, code: CInt) -> FeedClientError {
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

/// Names of files that are being written, such as `NAME.new-0a1b2c3d`. They cannot be predicted, and are recognized later:
/// a process that is killed leaves its file behind.
enum TemporaryName {
    /// The length of the suffix after the name of the finished file, in bytes.
    static let suffixLength = mark.utf8.count + randomDigits

    private static let mark = ".new-"
    private static let randomDigits = 8
    private static let maximumDigits = 24

    /// A new name for the temporary file of `name`.
    static func make(for name: String) -> String {
        let random = UInt32.random(in: 0 ... .max)
        return name + mark + Hex.text(withUnsafeBytes(of: random) { Array($0) })
    }

    /// The intended final name of a temporary file, even if an earlier version, which used decimal numbers, wrote it.
    /// - Returns: `nil` if the name is not that of a temporary file.
    static func finalName(of temporary: String) -> String? {
        guard let separator = temporary.utf8.ranges(of: mark.utf8).last else { return nil }
        let random = temporary.utf8[separator.upperBound...]
        guard (1...maximumDigits).contains(random.count),
            random.allSatisfy({ $0 == UInt8(ascii: "-") || Hex.isDigit($0) })
        else { return nil }
        return String(temporary[..<separator.lowerBound])
    }
}
