import Crypto

/// The ranges of bytes in the part file, with their digests.
struct PartContents: Sendable {
    let chunkSize: Int64
    /// The bytes that have been written.
    private(set) var written = ByteRangeSet()
    private var completed: [Int64: HashedRange] = [:]
    private var growing: [Int64: RangeHasher] = [:]

    /// - Parameter ranges: The ranges that an earlier download left in the part file.
    init(chunkSize: Int64, ranges: [HashedRange] = []) {
        self.chunkSize = chunkSize
        for range in ranges { insert(range) }
    }

    /// All ranges whose digest is known, in ascending order.
    var hashedRanges: [HashedRange] {
        (completed.values + growing.values.filter { !$0.range.isEmpty }.map { HashedRange($0) })
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    mutating func insert(_ range: HashedRange) {
        growing[range.range.lowerBound] = nil
        completed[range.range.lowerBound] = range
        written.insert(contentsOf: range.range)
    }

    /// Records the progress of a hasher.
    mutating func update(_ hasher: RangeHasher) {
        guard !hasher.range.isEmpty else { return }
        growing[hasher.start] = hasher
        written.insert(contentsOf: hasher.range)
    }

    /// Records bytes without a digest.
    mutating func insertUnhashed(_ range: Range<Int64>) { written.insert(contentsOf: range) }

    /// Removes a range whose bytes turned out to be damaged.
    mutating func remove(_ range: HashedRange) {
        completed[range.range.lowerBound] = nil
        written.remove(contentsOf: range.range)
    }

    /// The hasher for a write at `offset`: the one that ends there, or a new one.
    func hasher(at offset: Int64) -> RangeHasher {
        guard offset % chunkSize != 0 else { return RangeHasher(start: offset) }
        return growing.values.first { $0.end == offset } ?? RangeHasher(start: offset)
    }
}

/// A range of bytes in the part file, and its digest. A hashed range never crosses a chunk boundary.
struct HashedRange: Sendable, Equatable {
    /// The size of a digest in bytes. Half of a SHA-256 suffices to detect accidental damage.
    static let digestSize = 16

    let range: Range<Int64>
    let digest: [UInt8]

    init(range: Range<Int64>, digest: [UInt8]) {
        self.range = range
        self.digest = digest
    }

    init(_ hasher: RangeHasher) {
        range = hasher.range
        digest = Self.digest(of: hasher.hash)
    }

    static func digest(of hash: SHA256) -> [UInt8] { Array(hash.finalize().prefix(digestSize)) }
}

/// Hashes contiguous bytes as they arrive, starting over at each chunk boundary.
struct RangeHasher: Sendable {
    let start: Int64
    private(set) var end: Int64
    private(set) var hash = SHA256()

    init(start: Int64) { (self.start, end) = (start, start) }

    var range: Range<Int64> { start..<end }

    /// - Returns: The ranges that were completed by these bytes; each ends at a chunk boundary.
    mutating func append(_ bytes: UnsafeRawBufferPointer, chunkSize: Int64) -> [HashedRange] {
        var (completed, rest) = ([HashedRange](), bytes[...])
        while !rest.isEmpty {
            let room = chunkSize - end % chunkSize
            let part = rest.prefix(Int(min(room, Int64(rest.count))))
            append(UnsafeRawBufferPointer(rebasing: part))
            rest = rest.dropFirst(part.count)
            guard end % chunkSize == 0 else { break }
            completed.append(HashedRange(self))
            self = RangeHasher(start: end)
        }
        return completed
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        end += Int64(bytes.count)
    }
}

/// Hashes the file from its start, as far as it has been read back, and verifies the ranges of an earlier download.
struct PrefixHasher: Sendable {
    private(set) var position: Int64 = 0
    private(set) var hash = SHA256()
    /// Ranges from an earlier download that have not been verified yet, in ascending order.
    private(set) var unverified: ArraySlice<HashedRange>

    init(unverified: [HashedRange] = []) { self.unverified = unverified[...] }

    /// The bytes to read next: an unverified range as a whole, otherwise at most `limit` bytes; `nil` at `end`.
    func next(upTo end: Int64, limit: Int64) -> Range<Int64>? {
        guard position < end else { return nil }
        let limited = position + min(limit, end - position)
        guard let range = unverified.first?.range else { return position..<limited }
        if range.lowerBound == position { return range }
        return position..<min(limited, range.lowerBound)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        position += Int64(bytes.count)
    }

    /// Removes the next unverified range, because it matched its digest or is downloaded again.
    mutating func removeFirstUnverified() { unverified = unverified.dropFirst() }
}
