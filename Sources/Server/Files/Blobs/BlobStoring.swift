package import FeedCore
package import NIOCore

/// A content-addressed store for the bytes of files, keyed by SHA-256.
package protocol BlobStoring: Sendable {
    /// Starts writing a new blob.
    /// - Parameters:
    ///   - limit: The largest size in bytes.
    ///   - excess: The error to throw if more bytes are written; `nil` for a generic one.
    func begin(limit: Int64, excess: FeedError?) async throws -> any BlobWriting
    /// Opens a blob for reading.
    /// - Parameter name: The file's name, for the log.
    /// - Throws: ``FeedError`` `.storage` if the stored bytes are missing or have another size.
    func open(_ blob: Blob, name: String) throws -> any BlobReading
    /// The path of the file that contains a blob.
    func path(_ hash: BlobHash) -> String
    /// All bytes of a small blob.
    /// - Throws: ``FeedError`` `.storage` if it is missing or larger than `limit` bytes.
    func bytes(_ hash: BlobHash, limit: Int64) async throws -> ByteBuffer
    /// The hashes of all blobs whose first byte is `prefix`, in no particular order.
    func list(prefix: UInt8) async throws -> [BlobHash]
    /// Removes the given blobs if they are at least `grace` seconds old.
    /// - Returns: The sizes of the removed blobs in bytes.
    func remove(_ hashes: [BlobHash], grace: Int64) async throws -> [Int64]
    /// Removes unfinished blobs of processes that have ended.
    /// - Returns: The number of removed files.
    func removeUnfinished() async throws -> Int
    /// Runs `body`, which publishes blobs and stores the rows that refer to them. No blobs are collected meanwhile.
    func whilePublishing<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
    /// Runs `body`, which removes unreferenced blobs. No blobs are published meanwhile.
    /// - Returns: `nil` if `body` was not run, because blobs are being kept.
    func whileCollecting<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value?
    /// Runs `body`, which may take long, while no process collects blobs. Blobs can be published meanwhile.
    func whileKeeping<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
}

extension BlobStoring {
    /// Stores bytes that are already in memory. Must be called inside ``whilePublishing(_:)``.
    package func store(_ bytes: [UInt8]) async throws -> Blob {
        let writer = try await begin(limit: .max, excess: nil)
        do {
            try await writer.write(.init(bytes: bytes))
            let sealed = try await writer.seal(beside: nil)
            try await writer.publish(sealed)
            return sealed.blob
        } catch {
            await writer.discard()
            throw error
        }
    }
}

/// Receives the bytes of one blob. Must be used by one task only.
package protocol BlobWriting: Sendable {
    /// The path of the file, which is complete after ``seal(beside:)`` and exists until the bytes are published or discarded.
    var path: String { get }
    /// Appends bytes.
    /// - Throws: ``FeedError`` `.tooLarge` if the limit is exceeded, `.storage` if the disk fails.
    func write(_ piece: ByteBuffer) async throws
    /// Makes the bytes durable without making the blob visible.
    /// - Parameter holder: The first writer of the same upload, to be published or discarded after this one. Its lock
    ///   then protects both, so that an upload of many files needs only one open file.
    func seal(beside holder: (any BlobWriting)?) async throws -> SealedBlob
    /// Makes a sealed blob visible and durable under its hash.
    func publish(_ sealed: SealedBlob) async throws
    /// Removes the bytes written so far.
    func discard() async
}

/// A blob whose bytes are durable but not yet visible.
package struct SealedBlob: Sendable {
    package var blob: Blob
    /// The first bytes (at most 1,024), for detecting the media type.
    package var head: [UInt8]
}

/// An open blob, which remains readable if it is removed meanwhile. Must be used by one task only.
package protocol BlobReading: Sendable {
    /// The region of a local file that the kernel can copy to a socket; `nil` if the blob is not a local file.
    func region(_ range: ByteRange) -> FileRegion?
    /// Reads up to `count` bytes.
    /// - Throws: ``FeedError`` `.storage` if the blob is shorter than expected.
    func read(_ count: Int, at offset: Int64) async throws -> ByteBuffer
}

extension BlobReading {
    /// The bytes of `range`, in chunks that are read on demand.
    /// - Parameter size: The size of a chunk in bytes, and thus the memory used per slow client.
    package func chunks(_ range: ByteRange, size: Int64 = 256 * 1024) -> BlobChunks {
        BlobChunks(reader: self, range: range, size: size)
    }
}

/// A range of a blob, read chunk by chunk.
package struct BlobChunks: Sendable {
    private let size: Int64
    private let reader: any BlobReading
    private var offset: Int64
    private let last: Int64

    fileprivate init(reader: any BlobReading, range: ByteRange, size: Int64) {
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
