import FeedCore
import Foundation

/// A file that reserves disk space and is released when the disk is full. Without it, deleting would fail too, since
/// SQLite writes a deletion to the log first.
struct DiskReserve: Sendable {
    private static let bytes: Int64 = 4 << 20
    /// The free space in bytes required before the reserve is created again.
    private static let margin: Int64 = 64 << 20

    private let path: String

    /// - Parameter folder: The data folder.
    init(folder: String) { path = folder + "/reserve" }

    /// Creates the reserve if it is missing and enough space is free.
    func fill() {
        var status = stat()
        if stat(path, &status) == 0, status.st_size == Self.bytes {
            chmod(path, 0o600)
            return
        }
        guard DiskSpace.free(at: path.deletingLastSegment) ?? 0 > Self.bytes + Self.margin else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        if posix_fallocate(file, 0, off_t(Self.bytes)) != 0 { unlink(path) }
    }

    /// - Returns: Whether there was a reserve.
    func release() -> Bool { unlink(path) == 0 }
}

/// Free space on a disk.
enum DiskSpace {
    /// Bytes available to unprivileged processes; `nil` if unknown.
    static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooLarge) = Int64(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Whether too little space is left for the files that SQLite creates beside the database.
    static func isFull(at path: String) -> Bool { free(at: path).map { $0 < 64 << 10 } ?? false }
}

enum FileSize {
    /// The size of a file in bytes; 0 if it is missing.
    static func of(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}

extension String {
    fileprivate var deletingLastSegment: String { (self as NSString).deletingLastPathComponent }
}
