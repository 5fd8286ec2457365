import Foundation
import NIOCore
import NIOPosix

/// Reads an open file at offsets, without blocking an event loop.
final class FileReader: Sendable {
    private let descriptor: CInt
    private let path: String

    /// Opens a regular file that the user has named, through links if necessary. Nothing else is read: a named pipe would
    /// block.
    /// - Throws: ``FeedClientError`` `.notFound` if there is no such file, `.disk` if it cannot be read, `.failed` if it
    ///   is not a regular file.
    init(path: String) throws(FeedClientError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            // A socket cannot be opened.
            throw errno == ENXIO ? Self.notRegular(path) : Self.failure(path)
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw Self.notRegular(path)
        }
        (self.path, descriptor) = (path, file)
    }

    deinit { close(descriptor) }

    /// The whole file.
    /// - Returns: Somewhat more than `limit` bytes if there are more.
    /// - Throws: ``FeedClientError`` `.disk`.
    func contents(limit: Int) throws(FeedClientError) -> Data {
        try FileCalls.system.contents(of: descriptor, path, limit: limit)
    }

    /// - Throws: ``FeedClientError`` `.disk`, including when the file has become shorter.
    func read(_ count: Int, at offset: Int64) async throws -> ByteBuffer {
        try await NIOSingletons.posixBlockingThreadPool.runIfActive { [self] in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            let received = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                Swift.max(0, pread(descriptor, bytes.baseAddress, count, off_t(offset)))
            }
            guard received > 0 else {
                throw FeedClientError(
                    .disk, "\(path) became shorter while it was uploaded", hint: "Try again when it is complete.")
            }
            return buffer
        }
    }

    /// Describes the call on a file that the user has named, which has just failed with `errno`.
    static func failure(_ path: String) -> FeedClientError {
        let code: FeedClientError.Code = errno == ENOENT ? .notFound : .disk
        return FeedClientError(code, DurableFile.failure("read", path).message, hint: "Check the path.")
    }

    static func notRegular(_ path: String) -> FeedClientError {
        FeedClientError(.failed, "\(path) is not a regular file", hint: "Upload files one by one.")
    }
}
