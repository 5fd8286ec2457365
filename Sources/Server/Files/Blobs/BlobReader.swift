package import FeedCore
import FeedFolders
import Foundation
package import NIOCore
import NIOPosix

/// An open blob, which remains readable if it is removed meanwhile. Must be used by one task only.
package final class BlobReader: Sendable {
    private let store: BlobStore
    private let handle: NIOFileHandle

    fileprivate init(store: BlobStore, descriptor: Int32) {
        self.store = store
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
    }

    deinit { try? handle.close() }

    /// The region of the file, which the kernel can copy to a socket.
    package func region(_ range: ByteRange) -> FileRegion {
        FileRegion(fileHandle: handle, readerIndex: Int(range.first), endIndex: Int(range.last) + 1)
    }

    /// Reads up to `count` bytes.
    /// - Throws: ``FeedError`` `.storage` if the blob is shorter than expected.
    package func read(_ count: Int, at offset: Int64) async throws -> ByteBuffer {
        try await store.threads.runIfActive { [self] in try readNow(count, at: offset) }
    }

    /// The bytes of `range`, in chunks that are read on demand.
    /// - Parameter size: The size of a chunk in bytes, and thus the memory used per slow client.
    package func chunks(_ range: ByteRange, size: Int64 = 256 * 1024) -> BlobChunks {
        BlobChunks(reader: self, range: range, size: size)
    }

    private func readNow(_ count: Int, at offset: Int64) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            try handle.withUnsafeFileDescriptor { descriptor in
                while true {
                    let received = pread(descriptor, bytes.baseAddress, count, off_t(offset))
                    if received < 0, errno == EINTR { continue }
                    guard received > 0 else { throw BlobError.failed("read", received < 0 ? errno : EIO) }
                    return received
                }
            }
        }
        return buffer
    }
}

/// A range of a blob, read chunk by chunk.
package struct BlobChunks: Sendable {
    private let size: Int64
    private let reader: BlobReader
    private var offset: Int64
    private let last: Int64

    fileprivate init(reader: BlobReader, range: ByteRange, size: Int64) {
        self.size = size
        self.reader = reader
        offset = range.first
        last = range.last
    }

    /// The next chunk; `nil` at the end of the range.
    /// - Throws: ``FeedError`` `.storage` if the blob is shorter than expected.
    package mutating func next() async throws -> ByteBuffer? {
        guard offset <= last else { return nil }
        let buffer = try await reader.read(Int(min(size, last - offset + 1)), at: offset)
        offset += Int64(buffer.readableBytes)
        return buffer
    }
}

extension BlobStore {
    /// Opens a blob for reading.
    /// - Parameter name: The file's name, for the log.
    /// - Throws: ``FeedError`` `.storage` if the stored bytes are missing or have another size.
    package func open(_ blob: Blob, name: String) throws -> BlobReader {
        // Opened on the calling thread, because switching to the thread pool takes longer than opening a file.
        let descriptor: Int32
        do {
            descriptor = try blobs.open(blob.hash)
        } catch  where error.code == ENOENT {
            throw DamagedBlob(name: name, path: path(blob.hash), size: nil).error
        } catch {
            throw BlobError.failed(error)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) == blob.size else {
            close(descriptor)
            throw DamagedBlob(name: name, path: path(blob.hash), size: Int64(status.st_size)).error
        }
        return BlobReader(store: self, descriptor: descriptor)
    }

    /// All bytes of a small blob.
    /// - Throws: ``FeedError`` `.storage` if it is missing or larger than `limit` bytes.
    package func bytes(_ hash: BlobHash, limit: Int64) async throws -> ByteBuffer {
        try await threads.runIfActive { [blobs] in
            let file: Int32
            do {
                file = try blobs.open(hash)
            } catch let error as FolderError {
                throw BlobError.failed(error)
            }
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            guard let size = blobs.size(hash), size <= limit, let bytes = try? handle.read(upToCount: Int(limit)) else {
                throw BlobError.failed("read", EIO)
            }
            return ByteBuffer(bytes: bytes)
        }
    }
}

/// A missing or damaged blob, for the log.
struct DamagedBlob: Error, CustomStringConvertible {
    let name: String
    let path: String
    /// The actual size in bytes; `nil` if the file is missing.
    let size: Int64?

    var description: String {
        "\(name): " + (size.map { "\(path) has an unexpected size of \($0) bytes" } ?? "\(path) is missing")
    }

    fileprivate var error: FeedError {
        FeedError(
            .storage, "The stored file is damaged", hint: "Upload it again, or contact the administrator.",
            cause: self)
    }
}

/// The result of checking a stored blob.
package enum BlobState: Sendable, Equatable {
    case intact
    case missing
    /// This user may not read it.
    case forbidden
    /// The content has another hash, or cannot be read.
    case damaged
    /// The content is right, but the database states another size. The actual size in bytes.
    case otherSize(Int64)
}

extension BlobStore {
    /// Reads blobs completely and compares their content with their hashes.
    /// - Parameter advance: Called with the size of each chunk in bytes.
    /// - Returns: The states in the order of `blobs`.
    package func check(
        _ blobs: [BlobReference], advance: @escaping @Sendable (Int64) -> Void
    ) async throws -> [BlobState] {
        try await threads.inParallel(blobs) { [folder = self.blobs] in folder.check($0, advance) }
    }
}

extension BlobFolder {
    /// Reads a blob completely and compares its content with its hash.
    func check(_ blob: BlobReference, _ advance: (Int64) -> Void) -> BlobState {
        let file: Int32
        do { file = try open(blob.hash) } catch {
            if error.code == EACCES { return .forbidden }
            return size(blob.hash) == nil ? .missing : .damaged
        }
        defer { close(file) }
        guard let content = try? HashedFile.hash(file, advance: advance), content.hash == blob.hash else {
            return .damaged
        }
        return content.size == blob.size ?? content.size ? .intact : .otherSize(content.size)
    }
}
