import Crypto

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
