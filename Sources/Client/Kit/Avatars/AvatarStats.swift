/// What an ``AvatarCache`` holds, and what it did since it was opened.
public struct AvatarStats: Sendable, Equatable {
    /// Different pictures on disk.
    public internal(set) var count = 0
    /// Bytes they take there.
    public internal(set) var bytes: Int64 = 0
    /// Bytes they may take at most.
    public internal(set) var limit: Int64 = 0
    /// Bytes of the pictures in memory.
    public internal(set) var memoryBytes = 0
    /// Answered from memory.
    public internal(set) var memoryHits = 0
    /// Answered from disk without asking anybody.
    public internal(set) var diskHits = 0
    /// Kept here, and confirmed by the server.
    public internal(set) var revalidated = 0
    /// Fetched over the network.
    public internal(set) var misses = 0
    /// Kept here and served although too old, because no better one was to be had.
    public internal(set) var stale = 0
    /// Requests that brought no picture.
    public internal(set) var failures = 0

    /// Answered without fetching a picture.
    public var hits: Int { memoryHits + diskHits + revalidated + stale }

    init() {}
}
