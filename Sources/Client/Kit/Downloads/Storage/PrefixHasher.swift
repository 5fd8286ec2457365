import Crypto

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
