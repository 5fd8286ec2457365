package import FeedCore
import Foundation
import NIOCore

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

extension FeedError {
    /// The error, if the file must be an image: the hint then names no formats of videos and audio.
    package var ofImage: FeedError {
        guard hint == MediaSniffer.accepted else { return self }
        return FeedError(kind, message, hint: MediaSniffer.acceptedImages, cause: cause)
    }
}

extension BlobStore {
    /// The thumbnail made by processing; `nil` if it is missing or not an image.
    package func thumbnail(of processed: ProcessedMedia) async throws -> StoredMedia.Thumbnail? {
        guard let blob = processed.thumbnail else { return nil }
        let head = try await open(blob, name: "thumbnail").read(Int(min(64, blob.size)), at: 0)
        guard let format = ContentType.imageFormat(Array(head.readableBytesView)) else { return nil }
        return StoredMedia.Thumbnail(
            blob: blob, format: format, width: processed.meta.thumbnailWidth, height: processed.meta.thumbnailHeight)
    }
}
