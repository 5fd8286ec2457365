/// Determines the chunk size of a file, and whether several connections download it. Pure.
enum ChunkPolicy {
    /// The default chunk size in bytes.
    static let standardSize: Int64 = 4 << 20
    static let minimumSize: Int64 = 64 << 10
    /// The maximum number of chunks, because the journal lists each of them.
    static let maximumCount: Int64 = 4096
    /// The minimum size in bytes of a file that several connections download.
    private static let minimumSharedSize: Int64 = 16 << 20

    /// The chunk size of a file.
    /// - Parameter wanted: The size that the caller asked for; increased if there would be too many chunks.
    static func size(of fileSize: Int64, wanted: Int64?) -> Int64 {
        var size = max(minimumSize, wanted ?? standardSize)
        let required = (max(0, fileSize) - 1) / maximumCount + 1
        while size < required { size = size > .max / 2 ? .max : size * 2 }
        return size
    }

    /// Whether several connections share a file.
    /// - Parameter isFixedCount: Whether the caller fixed the number of connections.
    static func isShared(size: Int64, isFixedCount: Bool) -> Bool {
        size >= (isFixedCount ? 2 * RangeScheduler.minimumSplit : minimumSharedSize)
    }
}
