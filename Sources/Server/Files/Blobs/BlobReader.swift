package import FeedCore
import Foundation
package import NIOCore
import NIOPosix

/// An open blob: its bytes stay readable even when the file is replaced or removed meanwhile. One task uses it.
package final class BlobReader: Sendable {
    /// Bytes read at once, which is also what one slow reader costs.
    private static let chunk: Int64 = 256 * 1024

    private let store: BlobStore
    private let handle: NIOFileHandle

    fileprivate init(store: BlobStore, descriptor: Int32) {
        self.store = store
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
    }

    deinit { try? handle.close() }

    /// `range` for the kernel to send.
    package func region(_ range: ByteRange) -> FileRegion {
        FileRegion(fileHandle: handle, readerIndex: Int(range.first), endIndex: Int(range.last) + 1)
    }

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
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            try handle.withUnsafeFileDescriptor { descriptor in
                while true {
                    let got = pread(descriptor, bytes.baseAddress, count, off_t(offset))
                    if got < 0, errno == EINTR { continue }
                    guard got > 0 else { throw BlobError.failed("read", got < 0 ? errno : EIO) }
                    return got
                }
            }
        }
        return buffer
    }
}

extension BlobStore {
    /// - Parameter name: What the file is called, for the log.
    /// - Throws: ``FeedError`` `.storage` when the bytes are gone, or fewer or more than they were.
    package func open(_ blob: Blob, name: String) throws -> BlobReader {
        // Here and not on a thread of the pool: it takes microseconds, the way there and back takes longer.
        let descriptor = Foundation.open(path(blob.hash), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? DamagedBlob(name: name, path: path(blob.hash), size: nil).error : BlobError.failed("open", errno)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) == blob.size else {
            close(descriptor)
            throw DamagedBlob(name: name, path: path(blob.hash), size: Int64(status.st_size)).error
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

/// Why a stored blob cannot be served, for the log.
package struct DamagedBlob: Error, CustomStringConvertible {
    let name: String
    let path: String
    /// In bytes; `nil` when there is no such file.
    let size: Int64?

    package var description: String {
        "\(name): " + (size.map { "\(path) has \($0) bytes, not as many as were stored" } ?? "\(path) is missing")
    }

    fileprivate var error: FeedError {
        FeedError(
            .storage, "The server has lost bytes of this file", hint: "Store it again, or tell the operator.",
            cause: self)
    }
}
