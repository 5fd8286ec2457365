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

/// Media in local files, which the operator names.
package enum LocalMedia {
    /// Opens a regular file for reading.
    /// - Parameters:
    ///   - folder: An open folder to which the path is relative.
    ///   - followsLinks: Whether the file may be a symbolic link.
    /// - Returns: A descriptor, which the caller closes.
    /// - Throws: ``FeedError`` `.notFound` if there is no such file, `.invalid` if it is not a regular one, `.tooLarge`.
    package static func open(
        _ path: String, in folder: Int32 = AT_FDCWD, followsLinks: Bool = true, limits: MediaLimits
    ) throws(FeedError) -> Int32 {
        // O_NONBLOCK, so that a named pipe does not block.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = openat(folder, path, flags)
        guard descriptor >= 0 else { throw failed(errno) }
        do throws(FeedError) {
            try check(descriptor, limits)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func check(_ descriptor: Int32, _ limits: MediaLimits) throws(FeedError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FeedError(.invalid, "it is not a regular file", hint: "Specify an image file.")
        }
        guard status.st_size <= limits.uploadBytes else {
            throw FeedError(
                .tooLarge, "it is larger than \(limits.uploadBytes) bytes", hint: "Specify a smaller file.")
        }
    }

    /// The error for a file that cannot be opened.
    static func failed(_ code: Int32) -> FeedError {
        let cause = SystemCallError(call: "openat", code: code)
        return switch code {
        case ELOOP: FeedError(.invalid, "it is a symbolic link", hint: "Specify the file itself.", cause: cause)
        case ENXIO: FeedError(.invalid, "it is not a regular file", hint: "Specify an image file.", cause: cause)
        default: FeedError(.notFound, "it cannot be read", hint: "Check the path.", cause: cause)
        }
    }
}

extension FeedError {
    /// The error with the name of the file that is its reason, if it is.
    package func prefixed(with file: String) -> FeedError {
        guard [.malformed, .notFound, .invalid, .tooLarge, .unsupported].contains(kind) else { return self }
        return FeedError(kind, "\(file): \(plainMessage)", hint: hint, cause: self)
    }
}
