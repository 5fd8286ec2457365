package import FeedCore
import Foundation

/// The folder of an import file, from which its lines name files. Symbolic links in it are not followed, so every file
/// that is opened is in the folder.
package final class ImportFolder: Sendable {
    private let descriptor: Int32

    /// - Parameter file: The path of the import file.
    /// - Throws: ``FeedError`` `.notFound`.
    package init(of file: String) throws(FeedError) {
        let folder = NSString(string: file).deletingLastPathComponent
        descriptor = Foundation.open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LocalMedia.failed(errno).prefixed(with: folder) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Opens a file for reading.
    /// - Returns: A descriptor, which the caller closes.
    /// - Throws: ``FeedError`` as ``LocalMedia/open(_:in:followsLinks:limits:)``, and if a folder of the path is a
    ///   symbolic link.
    package func open(_ path: ImportPath, limits: MediaLimits) throws(FeedError) -> Int32 {
        var folder = descriptor
        defer { if folder != descriptor { close(folder) } }
        for name in path.names.dropLast() {
            let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard next >= 0 else { throw LocalMedia.failed(errno) }
            if folder != descriptor { close(folder) }
            folder = next
        }
        return try LocalMedia.open(path.names.last ?? "", in: folder, followsLinks: false, limits: limits)
    }
}
