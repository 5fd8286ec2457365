/// The stored statuses of a timeline.
public struct StoredTimeline: Sendable {
    /// A stored status.
    public struct Entry: Sendable {
        public let entry: TimelineEntry
        /// Whether statuses that are older than this one, and newer than the next one, may not have been loaded.
        public var hasGap: Bool

        public init(_ entry: TimelineEntry, hasGap: Bool = false) {
            self.entry = entry
            self.hasGap = hasGap
        }
    }

    /// The newest first.
    public let entries: [Entry]
    /// Whether statuses between the upper end of the requested range and the first entry may not have been loaded.
    public let startsWithGap: Bool
    /// When the newest statuses were last fetched, in milliseconds since 1970; 0 if only older ones have been.
    public let syncedAt: Int64

    /// Whether the newest statuses have been fetched. Otherwise, there may be statuses above the first stored one.
    public var hasNewest: Bool { syncedAt > 0 }

    /// The entries down to the first gap.
    public var unbroken: [TimelineEntry] {
        let end = entries.firstIndex(where: \.hasGap).map { $0 + 1 } ?? entries.count
        return entries.prefix(end).map(\.entry)
    }
}
