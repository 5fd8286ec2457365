import Foundation

/// Pictures of accounts, kept in memory and on disk, so that each is fetched once.
///
/// ```swift
/// let cache = try AvatarCache(folder: folder, client: client)
/// let picture = try await cache.image(at: account.avatar)
/// await cache.close()
/// ```
///
/// What servers say about freshness holds (RFC 9111); a picture that is too old is asked for anew, and shown all the same
/// when no better one is to be had. Several processes may use the same folder, and it may be deleted at any moment.
public actor AvatarCache {
    /// A failure that is remembered for a while.
    struct Failure {
        let error: FeedClientError
        /// Milliseconds since 1970.
        let until: Int64
    }

    let limits: Limits
    let fetcher: AvatarFetcher
    let disk: AvatarDisk
    let now: @Sendable () -> Int64
    nonisolated let loads = SharedWork<AvatarImage>()
    let slots: RequestSlots
    var memory: MemoryLRU<String, AvatarEntry>
    var failures = MemoryLRU<String, Failure>(limit: 1000)
    var counts = AvatarStats()
    private var used: [String: Int64] = [:]
    private var lastUse: Int64 = 0
    private var lastFlush: Int64 = 0
    private var isClosed = false

    /// Opens the cache of a folder; a damaged one starts empty.
    /// - Parameters:
    ///   - folder: Is made when it is missing, for this user alone.
    ///   - client: Whose connections are used. Its credential is not.
    ///   - now: Milliseconds since 1970; by default the system's clock.
    /// - Throws: ``FeedClientError`` `.disk` when the folder cannot be made or written to.
    public init(
        folder: String, limits: Limits = Limits(), client: FeedClient, now: (@Sendable () -> Int64)? = nil
    ) throws {
        self.limits = limits
        self.now = now ?? AvatarCache.systemTime
        fetcher = AvatarFetcher(client: client, maximumBytes: limits.pictureBytes)
        disk = try AvatarDisk(folder: folder, limit: limits.diskBytes)
        slots = RequestSlots(limits.requests)
        memory = MemoryLRU(limit: limits.memoryBytes)
    }

    /// The picture at an `http` or `https` address. All who ask for the same at the same time share one request; who is
    /// cancelled leaves the others alone.
    /// - Throws: ``FeedClientError`` (`.failed` for what is no picture or too large, `.notFound`, `.network` …), the same
    ///   for a minute without asking again; `CancellationError` when the asking task is cancelled.
    public func image(at url: String) async throws -> AvatarImage {
        let url = try AvatarFetcher.checked(url)
        if isClosed { throw Self.closed }
        if let entry = memory.value(for: url), entry.isFresh(at: now()) {
            counts.memoryHits += 1
            use(url)
            return entry.image(from: .memory)
        }
        if let failure = failures.value(for: url), failure.until > now() { throw failure.error }
        return try await loads.value(for: url) { [self] in try await load(url) }
    }

    /// What it holds and did.
    public func stats() async -> AvatarStats {
        let totals = await disk.totals()
        var stats = counts
        stats.count = totals?.count ?? 0
        stats.bytes = totals?.bytes ?? 0
        stats.limit = limits.diskBytes
        stats.memoryBytes = memory.cost
        return stats
    }

    /// Forgets all pictures, in memory and on disk. Those on their way may be kept again.
    /// - Throws: ``FeedClientError`` `.disk` when they cannot be removed; `CancellationError`.
    public func clear() async throws {
        memory.removeAll()
        failures.removeAll()
        used = [:]
        let isCleared = await disk.clear()
        try Task.checkCancellation()
        guard isCleared else { throw FeedClientError(.disk, "The avatar cache could not be cleared") }
    }

    /// Cancels what is under way and writes down what was used last. Call it once, before the client's `shutdown()`.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        loads.failAll(Self.closed)
        await disk.touch(takeUses())
        disk.close()
    }

    @Sendable private static func systemTime() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    private static var closed: FeedClientError { FeedClientError(.failed, "The avatar cache is closed") }
}

extension AvatarCache {
    /// Notes that a picture was used. The times of two uses always differ, so that their order is kept.
    func use(_ url: String) { used[url] = nextUse() }

    func nextUse() -> Int64 {
        lastUse = max(now(), lastUse + 1)
        return lastUse
    }

    /// The uses that have not been written down yet.
    func takeUses() -> [String: Int64] {
        defer { used = [:] }
        lastFlush = now()
        return used
    }

    /// Whether uses are to be written down: at most once a second.
    var isFlushDue: Bool { !used.isEmpty && abs(now() - lastFlush) >= 1000 }
}
