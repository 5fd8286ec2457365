package import FeedCore
import Foundation
package import NIOCore
import NIOPosix

/// An open blob. Its content remains readable even if the file is replaced or removed. Must be used by one task at a
/// time.
package final class BlobReader: Sendable {
    /// The number of bytes per read, which bounds the memory used for a slow client.
    private static let chunk: Int64 = 256 * 1024

    private let store: BlobStore
    private let handle: NIOFileHandle

    fileprivate init(store: BlobStore, descriptor: Int32) {
        self.store = store
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
    }

    deinit { try? handle.close() }

    /// A file region for `range`, to be sent with `sendfile`.
    package func region(_ range: ByteRange) -> FileRegion {
        FileRegion(fileHandle: handle, readerIndex: Int(range.first), endIndex: Int(range.last) + 1)
    }

    /// The content of `range` in chunks, which are read on demand.
    package func chunks(_ range: ByteRange) -> Chunks { Chunks(reader: self, range: range) }

    /// Reads a byte range in chunks.
    package struct Chunks: Sendable {
        private let reader: BlobReader
        private var offset: Int64
        private let last: Int64

        fileprivate init(reader: BlobReader, range: ByteRange) {
            self.reader = reader
            offset = range.first
            last = range.last
        }

        /// The next chunk, or `nil` at the end of the range.
        /// - Throws: ``FeedError`` `.storage` if reading fails or the file is truncated.
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
    /// Opens a blob for reading.
    /// - Parameter name: The file name, for the log.
    /// - Throws: ``FeedError`` `.storage` if the blob is missing or its size has changed.
    package func open(_ blob: Blob, name: String) throws -> BlobReader {
        // Runs on the calling thread: opening takes microseconds, less than a hop to the thread pool.
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

    /// Reads an entire blob into memory.
    /// - Parameter limit: The maximum size in bytes.
    /// - Throws: ``FeedError`` `.storage` if the blob is missing or larger than `limit`.
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

/// A missing or damaged blob, for the log.
package struct DamagedBlob: Error, CustomStringConvertible {
    let name: String
    let path: String
    /// The actual size in bytes; `nil` if the file is missing.
    let size: Int64?

    package var description: String {
        "\(name): " + (size.map { "\(path) has an unexpected size of \($0) bytes" } ?? "\(path) is missing")
    }

    fileprivate var error: FeedError {
        FeedError(
            .storage, "The stored file is damaged", hint: "Upload it again, or contact the administrator.",
            cause: self)
    }
}
