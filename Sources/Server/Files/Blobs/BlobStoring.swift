package import FeedCore
package import NIOCore

/// Where the bytes of files are kept, named by their SHA-256.
package protocol BlobStoring: Sendable {
    /// Starts writing a new blob.
    /// - Parameters:
    ///   - limit: The largest size in bytes.
    ///   - excess: The error to throw when more arrives; `nil` for a general one.
    func begin(limit: Int64, excess: FeedError?) async throws -> any BlobWriting
    /// Opens a blob for reading.
    /// - Parameter name: The file's name, for the log.
    /// - Throws: ``FeedError`` `.storage` when the stored bytes are missing or of another size.
    func open(_ blob: Blob, name: String) throws -> any BlobReading
    /// All bytes of a small blob.
    /// - Throws: ``FeedError`` `.storage` when it is missing or larger than `limit` bytes.
    func bytes(_ hash: String, limit: Int64) async throws -> ByteBuffer
    /// The hashes of all blobs whose first byte is `prefix`, in no particular order.
    func list(prefix: UInt8) async throws -> [String]
    /// Removes blobs older than `grace` seconds.
    /// - Returns: The sizes in bytes of those that were removed.
    func remove(_ hashes: [String], grace: Int64) async throws -> [Int64]
    /// Removes unfinished blobs whose writer has died.
    /// - Returns: Their number.
    func removeUnfinished() async throws -> Int
    /// Runs `body`, which publishes blobs and stores the rows that refer to them. Nothing is collected meanwhile.
    func whilePublishing<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
    /// Runs `body`, which removes blobs no row refers to. Nothing is published meanwhile.
    func whileCollecting<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
}

extension BlobStoring {
    /// Stores bytes that are already in memory. Call it inside ``whilePublishing(_:)``.
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

/// Receives the bytes of one blob. One task uses it.
package protocol BlobWriting: Sendable {
    /// - Throws: ``FeedError`` `.tooLarge` beyond the limit, `.storage` when the disk fails.
    func write(_ piece: ByteBuffer) async throws
    /// Makes the bytes durable, under no name yet.
    /// - Parameter holder: The first writer of the same upload, to be published or discarded after this one. Its lock then
    ///   covers both, so that an upload of many files needs only one open file.
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

/// An open blob. Its bytes stay readable when it is removed meanwhile. One task uses it.
package protocol BlobReading: Sendable {
    /// A part of a local file that the kernel can copy to a socket; `nil` when the bytes are elsewhere.
    func region(_ range: ByteRange) -> FileRegion?
    /// Reads up to `count` bytes.
    /// - Throws: ``FeedError`` `.storage` when the blob is shorter than expected.
    func read(_ count: Int, at offset: Int64) async throws -> ByteBuffer
}

extension BlobReading {
    /// The bytes of `range`, in chunks that are read on demand.
    package func chunks(_ range: ByteRange) -> BlobChunks { BlobChunks(reader: self, range: range) }
}

/// A range of a blob, read chunk by chunk.
package struct BlobChunks: Sendable {
    /// Bytes per chunk, which is also the memory one slow reader costs.
    private static let size: Int64 = 256 * 1024

    private let reader: any BlobReading
    private var offset: Int64
    private let last: Int64

    fileprivate init(reader: any BlobReading, range: ByteRange) {
        self.reader = reader
        offset = range.first
        last = range.last
    }

    /// - Throws: ``FeedError`` `.storage` when the blob is shorter than expected.
    package mutating func next() async throws -> ByteBuffer? {
        guard offset <= last else { return nil }
        let buffer = try await reader.read(Int(min(Self.size, last - offset + 1)), at: offset)
        offset += Int64(buffer.readableBytes)
        return buffer
    }
}
