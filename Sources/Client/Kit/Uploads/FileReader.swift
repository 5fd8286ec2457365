import Foundation
import NIOCore
import NIOPosix

/// Reads an open file at offsets, without blocking an event loop.
final class FileReader: Sendable {
    private let descriptor: CInt
    private let path: String

    /// - Throws: ``FeedClientError`` `.disk`.
    init(path: String) throws(FeedClientError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DurableFile.failure("read", path) }
    }

    deinit { close(descriptor) }

    /// - Throws: ``FeedClientError`` `.disk`, also if the file has become shorter.
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
}
