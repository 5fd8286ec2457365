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
