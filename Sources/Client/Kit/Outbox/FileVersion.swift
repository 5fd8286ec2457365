import Foundation

/// What tells a file from another one that was stored at the same path later.
struct FileVersion: Codable, Sendable, Equatable {
    /// In bytes.
    let size: Int64
    /// The time of the last modification since 1970, in seconds and nanoseconds.
    let seconds: Int64
    let nanoseconds: Int64

    /// - Returns: `nil` if there is no such file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec))
    }
}
