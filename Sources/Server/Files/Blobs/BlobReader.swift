package import FeedCore
import FeedFolders
import Foundation
package import NIOCore
import NIOPosix

/// Reads a blob from a local file.
package final class BlobReader: BlobReading {
    private let store: BlobStore
    private let handle: NIOFileHandle

    fileprivate init(store: BlobStore, descriptor: Int32) {
        self.store = store
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
    }

    deinit { try? handle.close() }

    package func region(_ range: ByteRange) -> FileRegion? {
        FileRegion(fileHandle: handle, readerIndex: Int(range.first), endIndex: Int(range.last) + 1)
    }

    package func read(_ count: Int, at offset: Int64) async throws -> ByteBuffer {
        try await store.threads.runIfActive { [self] in try readNow(count, at: offset) }
    }

    private func readNow(_ count: Int, at offset: Int64) throws -> ByteBuffer {
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
    package func open(_ blob: Blob, name: String) throws -> any BlobReading {
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

    package func bytes(_ hash: BlobHash, limit: Int64) async throws -> ByteBuffer {
        try await threads.runIfActive { [blobs] in
            guard let size = blobs.size(hash), size <= limit, let file = try? blobs.open(hash),
                let bytes = try? FileHandle(fileDescriptor: file, closeOnDealloc: true).read(upToCount: Int(limit))
            else { throw BlobError.failed("read", ENOENT) }
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

/// The result of checking a stored blob.
package enum BlobState: Sendable, Equatable {
    case intact
    case missing
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
        try await threads.inParallel(blobs) { [self] in checkNow($0, advance) }
    }

    private func checkNow(_ blob: BlobReference, _ advance: (Int64) -> Void) -> BlobState {
        guard let file = try? blobs.open(blob.hash) else { return blobs.size(blob.hash) == nil ? .missing : .damaged }
        defer { close(file) }
        guard let content = try? HashedFile.hash(file, advance: advance), content.hash == blob.hash else {
            return .damaged
        }
        return content.size == blob.size ?? content.size ? .intact : .otherSize(content.size)
    }
}
