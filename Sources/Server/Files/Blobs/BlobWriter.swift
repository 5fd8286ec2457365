import Crypto
package import FeedCore
import FeedFolders
import Foundation
package import NIOCore
import NIOPosix
import Synchronization

/// Writes one blob to a local file and computes its hash. Must be used by one task only.
package final class BlobWriter: Sendable {
    private struct State {
        var file: TemporaryFile
        var hash = SHA256()
        var size: Int64 = 0
        var head: [UInt8] = []
        /// Small pieces, collected so that the thread pool is used only once per ``bufferBytes`` bytes.
        var pending = ByteBuffer()

        /// Takes note of bytes that are in the file already.
        mutating func add(_ bytes: ArraySlice<UInt8>, limit: Int64) throws {
            guard size + Int64(bytes.count) <= limit else { throw BlobError.failed("write", EFBIG) }
            head.append(contentsOf: bytes.prefix(max(0, BlobWriter.headBytes - head.count)))
            bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
            size += Int64(bytes.count)
        }
    }

    private static let bufferBytes = 256 * 1024
    private static let headBytes = 1024

    private let store: BlobStore
    private let limit: Int64
    private let excess: FeedError?
    private let requireSpace: @Sendable () throws -> Void
    private let state: Mutex<State>

    init(
        store: BlobStore, file: TemporaryFile, limit: Int64, excess: FeedError?,
        requireSpace: @escaping @Sendable () throws -> Void
    ) {
        self.store = store
        self.limit = limit
        self.excess = excess
        self.requireSpace = requireSpace
        state = Mutex(State(file: file))
    }

    /// Appends bytes.
    /// - Throws: ``FeedError`` `.tooLarge` if the limit is exceeded, `.storage` if the disk fails.
    package func write(_ piece: ByteBuffer) async throws {
        let isDue = try state.withLock { state in
            guard state.size + Int64(state.pending.readableBytes + piece.readableBytes) <= limit else {
                throw excess
                    ?? FeedError(.tooLarge, "The file is larger than \(limit) bytes", hint: "Upload a smaller file.")
            }
            state.pending.writeImmutableBuffer(piece)
            return state.pending.readableBytes >= Self.bufferBytes
        }
        if isDue { try await store.threads.runIfActive { [self] in try flush() } }
    }

    /// Makes the bytes durable without making the blob visible.
    /// - Parameter holder: The first writer of the same upload, to be published or discarded after this one. Its lock
    ///   then protects both, so that an upload of many files needs only one open file.
    package func seal(beside holder: BlobWriter?) async throws -> SealedBlob {
        try await store.threads.runIfActive { [self] in
            try flush()
            let sealed = try sync()
            if let holder { try shareLock(of: holder) }
            return sealed
        }
    }

    /// Lets `body` write the file through its descriptor, for example in another process, and reads the result. Must be
    /// called before anything else is written, and `body` must end only when nothing can write any more.
    func fill<Value: Sendable>(_ body: (Int32) async throws -> Value) async throws -> Value {
        guard let descriptor = state.withLock({ $0.file.descriptor }) else { throw BlobError.failed("write", EBADF) }
        let value = try await body(descriptor)
        try await store.threads.runIfActive { [self] in try readBack() }
        return value
    }

    private func readBack() throws {
        let file = file
        let descriptor: Int32
        do { descriptor = try file.folder.openFile(file.name) } catch { throw BlobError.failed(error) }
        defer { Foundation.close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BlobError.failed("read", errno) }
            guard count > 0 else { return }
            try state.withLock { try $0.add(buffer[..<count], limit: limit) }
        }
    }

    /// Makes a sealed blob visible and durable under its hash.
    package func publish(_ sealed: SealedBlob) async throws {
        try await store.threads.runIfActive { [self] in try moveIntoPlace(sealed.blob.hash) }
    }

    /// Removes the bytes written so far.
    package func discard() async {
        // Unlinking a large file would block an event loop for too long. Must work in a cancelled task, too.
        await withCheckedContinuation { continuation in
            store.threads.submit { [self] _ in
                close()
                let file = file
                _ = try? file.folder.removeFile(file.name)
                continuation.resume()
            }
        }
    }

    /// The path of the file, which is complete after ``seal(beside:)`` and exists until the bytes are published or
    /// discarded.
    package var path: String {
        let file = file
        return file.folder.path(file.name)
    }

    private var file: TemporaryFile { state.withLock { $0.file } }

    deinit { close() }

    private func flush() throws {
        try requireSpace()
        try state.withLock { state in
            guard let descriptor = state.file.descriptor else { throw BlobError.failed("write", EBADF) }
            let view = state.pending.readableBytesView
            if state.head.count < Self.headBytes {
                state.head.append(contentsOf: view.prefix(Self.headBytes - state.head.count))
            }
            try view.withUnsafeBytes { bytes in
                state.hash.update(bufferPointer: bytes)
                try Self.writeAll(bytes, to: descriptor)
            }
            state.size += Int64(view.count)
            state.pending.clear()
        }
    }

    private func sync() throws -> SealedBlob {
        try state.withLock { state in
            guard let descriptor = state.file.descriptor, fsync(descriptor) == 0 else {
                throw BlobError.failed("fsync", errno)
            }
            let hash = BlobHash(state.hash.finalize())
            return SealedBlob(blob: Blob(hash: hash, size: state.size), head: state.head)
        }
    }

    /// Renames the temporary file to include the name of the lock holder, then releases its own lock.
    private func shareLock(of holder: BlobWriter) throws {
        let (file, held) = (file, TemporaryBlobName.make(protectedBy: holder.file.name))
        do { try file.folder.rename(file.name, to: held, in: file.folder) } catch { throw BlobError.failed(error) }
        state.withLock { $0.file.name = held }
        close()
    }

    private func moveIntoPlace(_ hash: BlobHash) throws {
        // The lock is held until after the rename, because the collector removes unlocked temporary files.
        defer { close() }
        let file = file
        do {
            try store.blobs.add(hash, from: file.name, in: file.folder)
            try store.blobs.sync(hash)
        } catch {
            throw BlobError.failed(error)
        }
    }

    private func close() {
        state.withLock { state in
            if let descriptor = state.file.descriptor { Foundation.close(descriptor) }
            state.file.descriptor = nil
        }
    }

    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = Foundation.write(descriptor, base, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BlobError.failed("write", errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}

/// A blob whose bytes are durable but not yet visible.
package struct SealedBlob: Sendable {
    package var blob: Blob
    /// The first bytes (at most 1,024), for detecting the media type.
    package var head: [UInt8]
}
