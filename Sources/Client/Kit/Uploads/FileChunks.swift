import Foundation
import NIOCore
import NIOPosix

/// The bytes of a file between two pieces of text, read as they are wanted: the body of an upload by form.
struct FileChunks: AsyncSequence, Sendable {
    static let chunk = 256 * 1024

    let path: String
    let size: Int64
    let head: ByteBuffer
    let tail: ByteBuffer
    /// Is told how many bytes of the file were taken.
    let progress: @Sendable (Int64) -> Void

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        private enum State { case head, file(FileSource, Int64), end }

        private let chunks: FileChunks
        private var state = State.head

        init(chunks: FileChunks) { self.chunks = chunks }

        mutating func next() async throws -> ByteBuffer? {
            switch state {
            case .head:
                state = .file(try FileSource(path: chunks.path), 0)
                return chunks.head
            case .file(_, let offset) where offset >= chunks.size:
                state = .end
                return chunks.tail
            case .file(let source, let offset):
                let count = Int(Swift.min(Int64(FileChunks.chunk), chunks.size - offset))
                let buffer = try await source.read(count, at: offset)
                state = .file(source, offset + Int64(buffer.readableBytes))
                chunks.progress(offset + Int64(buffer.readableBytes))
                return buffer
            case .end: return nil
            }
        }
    }
}

/// An open file that is read at offsets, off the event loops.
final class FileSource: Sendable {
    private let descriptor: Int32
    private let path: String

    /// - Throws: ``FeedClientError`` `.disk`.
    init(path: String) throws(FeedClientError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DurableFile.failure("read", path) }
    }

    deinit { close(descriptor) }

    /// - Throws: ``FeedClientError`` `.disk`, also when the file became shorter.
    func read(_ count: Int, at offset: Int64) async throws -> ByteBuffer {
        try await NIOSingletons.posixBlockingThreadPool.runIfActive { [self] in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                Swift.max(0, pread(descriptor, bytes.baseAddress, count, off_t(offset)))
            }
            guard got > 0 else {
                throw FeedClientError(
                    .disk, "\(path) became shorter while it was read", hint: "Try again when it is whole.")
            }
            return buffer
        }
    }
}
