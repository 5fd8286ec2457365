/// The size of an ``AvatarCache``, and its activity since it was opened.
public struct AvatarStats: Sendable, Equatable {
    /// The number of different pictures on disk.
    public internal(set) var count = 0
    /// The size of the pictures on disk, in bytes.
    public internal(set) var bytes: Int64 = 0
    /// The maximum size of the pictures on disk, in bytes.
    public internal(set) var limit: Int64 = 0
    /// The size of the pictures in memory, in bytes.
    public internal(set) var memoryBytes = 0
    /// The number of pictures returned from memory.
    public internal(set) var memoryHits = 0
    /// The number of pictures returned from disk without a request.
    public internal(set) var diskHits = 0
    /// The number of cached pictures that the server confirmed.
    public internal(set) var revalidated = 0
    /// The number of pictures fetched from a server.
    public internal(set) var misses = 0
    /// The number of stale pictures returned because the server was not available.
    public internal(set) var stale = 0
    /// The number of failed requests.
    public internal(set) var failures = 0

    /// The number of pictures returned without a new download.
    public var hits: Int { memoryHits + diskHits + revalidated + stale }

    init() {}
}
