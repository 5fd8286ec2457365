import Crypto
package import FeedCore
package import FeedFolders
package import Foundation
package import NIOPosix
import Synchronization

/// Copies blobs from one folder to another with the same layout, as ``BlobStore`` describes it. The hash of each blob is
/// computed while it is copied; a blob gets its name only if it is complete, durable and right.
package final class BlobCopier: Sendable {
    private let source: BlobFolder
    private let target: BlobFolder
    private let temporary: Folder
    private let threads: NIOThreadPool
    /// Blobs whose names are not durable yet, one for each of their folders.
    private let unsynced = Mutex<[Substring: BlobHash]>([:])

    /// - Parameters:
    ///   - source: The folder that contains `blobs`.
    ///   - target: The folder in which `blobs` and `tmp` are created if they are missing.
    package init(from source: Folder, to target: Folder, threads: NIOThreadPool) throws {
        self.source = BlobFolder(root: source)
        self.target = BlobFolder(root: target)
        self.threads = threads
        do {
            try self.target.create()
            temporary = try target.folder("tmp", creating: true)
        } catch {
            throw BlobError.failed(error)
        }
    }

    /// Copies the blobs that the target does not contain.
    /// - Parameter advance: Called with numbers of bytes that have been copied or need not be.
    /// - Returns: The outcomes in the order of `blobs`.
    /// - Throws: ``FeedError`` if the target cannot be written.
    package func copy(
        _ blobs: [BlobReference], advance: @escaping @Sendable (Int64) -> Void
    ) async throws -> [BlobCopyOutcome] {
        try await threads.inParallel(blobs) { [self] in try copyNow($0, advance) }
    }

    /// Makes the names of all copied blobs durable.
    package func sync() async throws {
        try await threads.runIfActive { [self] in
            let blobs = unsynced.withLock { blobs in
                defer { blobs = [:] }
                return blobs
            }
            do {
                for hash in blobs.values { try target.sync(hash) }
            } catch let error as FolderError {
                throw BlobError.failed(error)
            }
        }
    }

    private func copyNow(_ blob: BlobReference, _ advance: (Int64) -> Void) throws -> BlobCopyOutcome {
        let existingSize = target.size(blob.hash)
        switch BackupCopyRule.decide(expected: blob.size, source: source.size(blob.hash), target: existingSize) {
        case .missing: return .missing
        case .skip:
            advance(existingSize ?? 0)
            return .skipped(existingSize ?? 0)
        case .copy: return try copy(blob.hash, advance)
        }
    }

    private func copy(_ hash: BlobHash, _ advance: (Int64) -> Void) throws -> BlobCopyOutcome {
        guard let file = try? source.open(hash) else { return .damaged }
        defer { close(file) }
        let name = TemporaryBlobName.make()
        do {
            let copied = try HashedFile.copy(file, to: name, in: temporary, advance: advance)
            guard copied.hash == hash else {
                _ = try? temporary.removeFile(name)
                return .damaged
            }
            try publish(hash, from: name)
            return .copied(copied.size)
        } catch is UnreadableFile {
            return .damaged
        }
    }

    private func publish(_ hash: BlobHash, from name: String) throws {
        do {
            try target.add(hash, from: name, in: temporary)
        } catch {
            _ = try? temporary.removeFile(name)
            throw BlobError.failed(error)
        }
        unsynced.withLock { $0[hash.description.prefix(4)] = hash }
    }
}

/// Reads and copies files in chunks and computes their SHA-256 hashes on the way. All functions block.
package enum HashedFile {
    private static let chunk = 1 << 20

    /// The hash and the size of a file.
    /// - Parameters:
    ///   - file: An open file, which is read from its current position.
    ///   - advance: Called with the size of each chunk in bytes.
    /// - Throws: ``UnreadableFile``.
    package static func hash(_ file: Int32, advance: (Int64) -> Void = { _ in }) throws -> Blob {
        try read(file) { advance(Int64($0.count)) }
    }

    /// Copies an open file to a new one, which only the owner can access, and syncs it. A partial copy is removed.
    /// - Throws: ``UnreadableFile`` if the source cannot be read; ``FeedError`` if the copy cannot be written.
    package static func copy(
        _ source: Int32, to name: String, in folder: Folder, advance: (Int64) -> Void = { _ in }
    ) throws -> Blob {
        try create(name, in: folder) { target in
            try read(source) { bytes in
                try BlobWriter.writeAll(bytes, to: target)
                advance(Int64(bytes.count))
            }
        }
    }

    /// Writes a small file durably under its name, or not at all.
    /// - Parameter temporary: A folder in the same file system.
    package static func write(_ bytes: Data, to name: String, in folder: Folder, through temporary: Folder) throws {
        let unfinished = TemporaryBlobName.make()
        try create(unfinished, in: temporary) { file in
            try bytes.withUnsafeBytes { try BlobWriter.writeAll($0, to: file) }
        }
        try move(unfinished, from: temporary, to: name, in: folder)
    }

    /// Renames a synced file durably.
    package static func move(_ name: String, from source: Folder, to newName: String, in folder: Folder) throws {
        do {
            try source.rename(name, to: newName, in: folder)
            try folder.sync()
        } catch {
            throw BlobError.failed(error)
        }
    }

    /// Lets `write` fill a new file, and syncs it. If that fails, the file is removed.
    private static func create<Value>(_ name: String, in folder: Folder, _ write: (Int32) throws -> Value) throws
        -> Value
    {
        let file: Int32
        do { file = try folder.createFile(name) } catch { throw BlobError.failed(error) }
        defer { close(file) }
        do {
            let value = try write(file)
            guard fsync(file) == 0 else { throw BlobError.failed("fsync", errno) }
            return value
        } catch {
            _ = try? folder.removeFile(name)
            throw error
        }
    }

    private static func read(_ file: Int32, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Blob {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { buffer.deallocate() }
        var (hash, size) = (SHA256(), Int64(0))
        while true {
            let count = Foundation.read(file, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw UnreadableFile(code: errno) }
            guard count > 0 else { return Blob(hash: BlobHash(hash.finalize()), size: size) }
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
            hash.update(bufferPointer: bytes)
            try body(bytes)
            size += Int64(count)
        }
    }
}

/// A file that cannot be read.
package struct UnreadableFile: Error, CustomStringConvertible {
    package let code: Int32

    package var description: String { "read: \(String(cString: strerror(code)))" }
}
