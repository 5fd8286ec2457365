/// How large the chunks of a file are, and when it is worth more than one connection. Pure.
enum ChunkRule {
    /// Chunks of a file that nobody asked otherwise for.
    static let usual: Int64 = 4 << 20
    /// Bounds for the number of chunks: the journal speaks of each.
    static let most: Int64 = 4096
    static let smallest: Int64 = 64 << 10
    /// Smaller files are left to one connection.
    static let worthSharing: Int64 = 16 << 20

    /// - Parameter wanted: What the caller asked for; kept as long as the journal stays small.
    static func size(total: Int64, wanted: Int64?) -> Int64 {
        var size = max(smallest, wanted ?? usual)
        let least = (max(0, total) - 1) / most + 1
        while size < least { size = size > .max / 2 ? .max : size * 2 }
        return size
    }

    /// Whether a file is shared between connections.
    /// - Parameter isFixed: Whether the caller said how many there are to be.
    static func isShared(total: Int64, isFixed: Bool) -> Bool {
        total >= (isFixed ? 2 * Scheduler.smallest : worthSharing)
    }
}
