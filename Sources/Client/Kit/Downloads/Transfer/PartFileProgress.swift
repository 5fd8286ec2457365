/// The disk side of a transfer: tracks which bytes have been written, read back and made durable.
struct PartFileProgress: Sendable {
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
