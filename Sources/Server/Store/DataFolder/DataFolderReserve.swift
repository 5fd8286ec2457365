import FeedCore
import FeedFolders
import Foundation
import Synchronization

/// A file that reserves disk space and is released when the disk is full. Without it, deleting would fail too, since
/// SQLite writes a deletion to the log first.
///
/// While the reserve is missing, only deletions may write: uploads and posts would otherwise take the released space,
/// and nothing more could be deleted. What deletions free goes to the reserve first.
final class DataFolderReserve: Sendable {
    private static let bytes: Int64 = 4 << 20

    private static let name = "reserve"

    private let folder: Folder
    private let isKept = Atomic(false)

    /// - Parameter folder: The data folder.
    init(folder: Folder) { self.folder = folder }

    /// Creates the reserve. From now on, ``require()`` fails while it is missing.
    func keep() {
        isKept.store(true, ordering: .relaxed)
        fill()
    }

    /// Creates the reserve again if it is missing.
    /// - Throws: ``FeedError`` `.diskFull` if there is not enough space for it.
    func require() throws(FeedError) {
        guard isKept.load(ordering: .relaxed), !isFilled, !fill() else { return }
        throw .diskFull(MissingReserve())
    }

    /// - Returns: Whether there was a reserve.
    func release() -> Bool { (try? folder.removeFile(Self.name)) == true }

    private var isFilled: Bool { folder.size(ofFile: Self.name) == Self.bytes }

    @discardableResult
    private func fill() -> Bool {
        guard let file = try? folder.openLockFile(Self.name) else { return false }
        defer { close(file) }
        if posix_fallocate(file, 0, off_t(Self.bytes)) == 0 { return true }
        _ = release()
        return false
    }
}

/// For the log.
private struct MissingReserve: Error, CustomStringConvertible {
    var description: String { "the space reserved for deletions is in use" }
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
    static func bytes(at path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
