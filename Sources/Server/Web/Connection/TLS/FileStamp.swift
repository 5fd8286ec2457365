import Foundation

/// What identifies the content of a file without reading it. A replaced file has another inode, a file that has been
/// written to another time or size.
struct FileStamp: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int64
    private let nanoseconds: Int64
    private let size: Int64

    /// Follows symbolic links, since certbot replaces links; `nil` if the file does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
        size = Int64(status.st_size)
    }
}
