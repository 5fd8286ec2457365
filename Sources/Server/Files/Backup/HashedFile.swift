import Crypto
package import FeedCore
package import Foundation

/// Reads and copies files in chunks and computes their SHA-256 hashes on the way. All functions block.
package enum HashedFile {
    private static let chunk = 1 << 20

    /// The hash and the size of a file.
    /// - Parameter advance: Called with the size of each chunk in bytes.
    /// - Throws: ``UnreadableFile``.
    package static func hash(_ path: String, advance: (Int64) -> Void = { _ in }) throws -> Blob {
        try read(path) { advance(Int64($0.count)) }
    }

    /// Copies a file to a new one, which only the owner can access, and syncs it. A partial copy is removed.
    /// - Throws: ``UnreadableFile`` if the source cannot be read; ``FeedError`` if the copy cannot be written.
    package static func copy(
        _ source: String, to target: String, advance: (Int64) -> Void = { _ in }
    ) throws -> Blob {
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BlobError.failed("open", errno) }
        defer { close(descriptor) }
        do {
            fchmod(descriptor, 0o600)
            let copied = try read(source) { bytes in
                try BlobWriter.writeAll(bytes, to: descriptor)
                advance(Int64(bytes.count))
            }
            guard fsync(descriptor) == 0 else { throw BlobError.failed("fsync", errno) }
            return copied
        } catch {
            unlink(target)
            throw error
        }
    }

    /// Writes a small file durably under its name, or not at all.
    /// - Parameter temporary: A path in the same file system.
    package static func write(_ bytes: Data, to path: String, through temporary: String) throws {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BlobError.failed("open", errno) }
        defer { close(descriptor) }
        do {
            fchmod(descriptor, 0o600)
            try bytes.withUnsafeBytes { try BlobWriter.writeAll($0, to: descriptor) }
            guard fsync(descriptor) == 0 else { throw BlobError.failed("fsync", errno) }
            try move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Renames a synced file durably.
    package static func move(_ source: String, to target: String) throws {
        guard rename(source, target) == 0 else { throw BlobError.failed("rename", errno) }
        try BlobWriter.sync(folder: (target as NSString).deletingLastPathComponent)
    }

    /// The size of a regular file in bytes; `nil` if the file does not exist.
    package static func size(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    private static func read(_ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Blob {
        // O_NONBLOCK, so that a named pipe in place of the file does not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw UnreadableFile(path: path, code: errno) }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { buffer.deallocate() }
        var (hash, size) = (SHA256(), Int64(0))
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw UnreadableFile(path: path, code: errno) }
            guard count > 0 else { return Blob(hash: Hexadecimal.text(hash.finalize()), size: size) }
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
            hash.update(bufferPointer: bytes)
            try body(bytes)
            size += Int64(count)
        }
    }
}

/// A file that cannot be read.
package struct UnreadableFile: Error, CustomStringConvertible {
    package let path: String
    package let code: Int32

    package var description: String { "cannot read \(path): \(String(cString: strerror(code)))" }
}
