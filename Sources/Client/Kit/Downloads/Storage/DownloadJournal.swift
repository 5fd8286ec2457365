/// The state of an unfinished download. It is stored beside the part file and replaced as a whole, after the bytes that
/// it lists have been synced.
struct DownloadJournal: Sendable, Equatable {
    var request: DownloadRequest
    var file: Representation
    var chunkSize: Int64
    /// The durable ranges, in ascending order and without overlap.
    var ranges: [HashedRange]

    /// Whether the part file contains all bytes.
    var isComplete: Bool { ranges.reduce(0) { $0 + $1.range.byteCount } == file.size }

    /// Whether the values are consistent with each other.
    var isValid: Bool {
        guard file.validator != nil, let size = file.size, (1...Representation.maximumSize).contains(size),
            chunkSize >= ChunkPolicy.minimumSize, (size - 1) / chunkSize < ChunkPolicy.maximumCount
        else { return false }
        var end: Int64 = 0
        for hashed in ranges {
            let range = hashed.range
            guard hashed.digest.count == HashedRange.digestSize, range.lowerBound >= end, !range.isEmpty,
                range.upperBound <= size, range.lowerBound / chunkSize == (range.upperBound - 1) / chunkSize
            else { return false }
            end = range.upperBound
        }
        return true
    }
}
