import FeedCore
import Foundation
package import NIOCore
import NIOPosix
import Synchronization

/// An open blob: its bytes stay readable even when the file is replaced or removed meanwhile.
package final class BlobReader: Sendable {
    /// Bytes read at once, which is also what one slow reader costs.
    private static let chunk: Int64 = 128 * 1024

    private let store: BlobStore
    private let descriptor: Int32

    fileprivate init(store: BlobStore, descriptor: Int32) {
        self.store = store
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The bytes of `range`, chunk by chunk; the next chunk is read when it is asked for.
    package func chunks(_ range: ByteRange) -> Chunks { Chunks(reader: self, range: range) }

    /// A place in a file that moves on.
    package struct Chunks: Sendable {
        private let reader: BlobReader
        private var offset: Int64
        private let last: Int64

        fileprivate init(reader: BlobReader, range: ByteRange) {
            self.reader = reader
            offset = range.first
            last = range.last
        }

        /// - Throws: ``FeedError`` `.storage` when the file is shorter than it should be.
        package mutating func next() async throws -> ByteBuffer? {
            guard offset <= last else { return nil }
            let count = Int(min(BlobReader.chunk, last - offset + 1))
            let buffer = try await reader.store.threads.runIfActive { [reader, offset] in
                try reader.read(count, at: offset)
            }
            offset += Int64(buffer.readableBytes)
            return buffer
        }
    }

    private func read(_ count: Int, at offset: Int64) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        let got = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            while true {
                let got = pread(descriptor, bytes.baseAddress, count, off_t(offset))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { throw BlobError.failed("read", got < 0 ? errno : EIO) }
                return got
            }
        }
        precondition(got == buffer.readableBytes)
        return buffer
    }
}

extension BlobStore {
    /// - Throws: ``FeedError`` `.storage` when the bytes are gone.
    package func open(_ hash: String) async throws -> BlobReader {
        let path = path(hash)
        let descriptor = try await threads.runIfActive {
            let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw BlobError.failed("open", errno) }
            return descriptor
        }
        return BlobReader(store: self, descriptor: descriptor)
    }

    /// The whole of a small blob.
    /// - Throws: ``FeedError`` `.storage` when it is larger than `limit` bytes or gone.
    package func bytes(_ hash: String, limit: Int64) async throws -> ByteBuffer {
        let path = path(hash)
        return try await threads.runIfActive {
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? nil
            guard let size, size <= limit, let bytes = FileManager.default.contents(atPath: path) else {
                throw BlobError.failed("read", ENOENT)
            }
            return ByteBuffer(bytes: bytes)
        }
    }
}
