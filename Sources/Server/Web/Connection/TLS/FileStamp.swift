import Foundation

/// Identifies the content of a file without reading it. A replaced file has another inode; a modified file has another
/// time or size, or at least another time of its last change, which programs cannot set.
struct FileStamp: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int64
    private let nanoseconds: Int64
    /// The time of the last change, also of owner and mode, which decide whether the file can be read.
    private let changedSeconds: Int64
    private let changedNanoseconds: Int64
    private let size: Int64

    /// Follows symbolic links, since certbot replaces links; `nil` if the file does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
        changedSeconds = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = Int64(status.st_ctim.tv_nsec)
        size = Int64(status.st_size)
    }
}
