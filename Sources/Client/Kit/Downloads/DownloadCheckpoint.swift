import Crypto

/// The disk side of a download: which bytes have been written, read back and made durable, and when the journal is due.
struct DownloadCheckpoint: Sendable {
    /// The maximum number of bytes that are read back at a time.
    private static let readBackSize: Int64 = 32 << 20
    /// The minimum interval between two writes of the journal, in seconds and in bytes.
    private static let commitInterval = 1.0
    private static let commitSize: Int64 = 32 << 20

    private var contents = PartContents(chunkSize: ChunkPolicy.standardSize)
    private var hasher = PrefixHasher()
    private var isHashing = false
    private var isCommitting = false
    private var committedAt: Double
    private var committedBytes: Int64 = 0

    init(now: Double) { committedAt = now }

    /// The number of bytes that have been written.
    var written: Int64 { contents.written.byteCount }
    var chunkSize: Int64 { contents.chunkSize }
    var hashedRanges: [HashedRange] { contents.hashedRanges }
    /// The hash of the file up to ``hashedSize``.
    var prefix: PrefixHasher { hasher }
    /// The number of bytes from the start of the file that have been read back and hashed.
    var hashedSize: Int64 { hasher.position }

    func missing(of size: Int64) -> ByteRangeSet { contents.written.missing(in: 0..<size) }

    /// Adopts the ranges in a journal, which are verified when they are read back.
    mutating func resume(chunkSize: Int64, ranges: [HashedRange]) {
        contents = PartContents(chunkSize: chunkSize, ranges: ranges)
        hasher = PrefixHasher(unverified: ranges)
        committedBytes = written
    }

    /// Discards all recorded bytes.
    mutating func startOver(chunkSize: Int64 = ChunkPolicy.standardSize) { resume(chunkSize: chunkSize, ranges: []) }

    /// Records that running work was cancelled.
    mutating func stopped() { (isHashing, isCommitting) = (false, false) }

    // MARK: Writing

    /// The hasher for bytes that are written at `offset`.
    func rangeHasher(at offset: Int64) -> RangeHasher { contents.hasher(at: offset) }

    /// Records written bytes.
    mutating func wrote(_ completed: [HashedRange], _ rest: RangeHasher) {
        for range in completed { contents.insert(range) }
        contents.update(rest)
    }

    mutating func wroteUnhashed(_ range: Range<Int64>) { contents.insertUnhashed(range) }

    // MARK: Reading back

    /// The next range to read back, if it has been written and nothing else is being read.
    mutating func startHashing() -> (range: Range<Int64>, hasher: PrefixHasher)? {
        let end = contents.written.contiguousEnd(from: hasher.position)
        guard !isHashing, let range = hasher.next(upTo: end, limit: Self.readBackSize) else { return nil }
        isHashing = true
        return (range, hasher)
    }

    /// - Parameter damaged: A range from an earlier download that did not match its digest.
    mutating func hashed(_ hasher: PrefixHasher, damaged: HashedRange?) {
        isHashing = false
        self.hasher = hasher
        if let damaged { contents.remove(damaged) }
    }

    // MARK: Committing

    /// - Parameter size: The size of the file, if known.
    /// - Returns: The number of bytes to commit; `nil` if it is too early.
    func bytesToCommit(size: Int64?, now: Double) -> Int64? {
        let bytes = written
        guard !isCommitting, bytes != committedBytes else { return nil }
        // A complete file is about to be moved into place, which makes it durable as well.
        let isLarge = bytes - committedBytes >= Self.commitSize && bytes != size
        return isLarge || now - committedAt >= Self.commitInterval ? bytes : nil
    }

    mutating func startCommit() { isCommitting = true }

    mutating func committed(_ bytes: Int64, now: Double) {
        (isCommitting, committedBytes, committedAt) = (false, bytes, now)
    }
}

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
