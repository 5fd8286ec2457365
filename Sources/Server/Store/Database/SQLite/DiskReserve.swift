import FeedCore
import Foundation

/// A file that keeps some space on the disk, to be given up when the disk is full: without it nothing could be deleted any
/// more, since removing a row has to be written down first.
struct DiskReserve: Sendable {
    private static let bytes: Int64 = 4 << 20
    /// Space that must be left beside it before it is made again.
    private static let margin: Int64 = 64 << 20

    private let path: String

    /// - Parameter folder: The data folder.
    init(folder: String) { path = folder + "/reserve" }

    /// Makes the reserve unless it is there or space is short.
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

    /// - Returns: Whether there was something to give up.
    func release() -> Bool { unlink(path) == 0 }
}

/// Space on a disk.
enum DiskSpace {
    /// Bytes left for programs without special rights; `nil` where that cannot be found out.
    static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooLarge) = Int64(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Whether so little is left that SQLite cannot make the files beside the database.
    static func isFull(at path: String) -> Bool { free(at: path).map { $0 < 64 << 10 } ?? false }
}

extension String {
    fileprivate var deletingLastSegment: String { (self as NSString).deletingLastPathComponent }
}
