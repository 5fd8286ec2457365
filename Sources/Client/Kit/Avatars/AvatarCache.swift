import Foundation
import NIOCore
import NIOHTTP1

/// A cache of pictures in memory and on disk: avatars, and any others, such as previews of media.
///
/// ```swift
/// let cache = try AvatarCache(folder: folder, client: client)
/// let picture = try await cache.image(at: account.avatar)
/// await cache.close()
/// ```
///
/// The cache obeys `Cache-Control` (RFC 9111). It revalidates a stale picture, and returns it if the server is not
/// available. Several processes may use the same folder, and it may be deleted at any time.
public actor AvatarCache {
    /// The limits of an ``AvatarCache``.
    public struct Limits: Sendable {
        /// The maximum size of the pictures in memory, in bytes.
        public var memoryBytes = 8 << 20
        /// The maximum size of the pictures on disk, in bytes.
        public var diskBytes: Int64 = 64 << 20
        /// The time after its last use for which a picture is kept on disk, in seconds.
        public var unusedSeconds: Int64 = 180 * 86_400
        /// The maximum size of a single picture, in bytes.
        public var pictureBytes = 5 << 20
        /// The maximum number of concurrent requests.
        public var requests = 24
        /// The maximum number of concurrent requests to the same host.
        public var requestsPerHost = 6
        /// The timeout for a picture that is not cached, in seconds.
        public var requestSeconds: Int64 = 30
        /// The timeout for the revalidation of a stale picture, in seconds; after that, the cached picture is returned.
        public var revalidationSeconds: Int64 = 5

        public init() {}
    }

    private struct Failure {
        let error: FeedClientError
        /// The time at which the next attempt is permitted, in milliseconds since 1970.
        let retryTime: Int64
    }

    private struct CachedEntry {
        let entry: AvatarEntry
        let source: AvatarImage.Source
    }

    /// The time in seconds before a failed request is repeated.
    private static let retryDelay = 60
    private static let maximumFailures = 1000

    /// Coalesces requests for the same picture.
    nonisolated let loads = SharedTasks<AvatarImage>()
    private let limits: Limits
    private let fetcher: AvatarFetcher
    private let disk: AvatarDisk
    private let now: @Sendable () -> Int64
    private let requests: AvatarRequestLimiter
    private var memory: LRUCache<String, AvatarEntry>
    private var failures = LRUCache<String, Failure>(limit: AvatarCache.maximumFailures)
    private var counts = AvatarStats()
    private var usage = AvatarUsage()
    private var isClosed = false

    /// Opens the cache in a folder. A damaged cache starts empty.
    /// - Parameters:
    ///   - folder: Created with access for this user only, if it does not exist.
    ///   - limits: The limits on storage and requests.
    ///   - client: Provides the connections. Its credential is not used.
    ///   - now: Milliseconds since 1970; `nil` for the system clock.
    /// - Throws: ``FeedClientError`` `.disk` if the folder cannot be created or written, or if what is stored in it is a
    ///   symbolic link.
    public init(
        folder: String, limits: Limits = Limits(), client: FeedClient, now: (@Sendable () -> Int64)? = nil
    ) throws {
        self.limits = limits
        self.now = now ?? { Milliseconds.now }
        fetcher = AvatarFetcher(client: client, maximumBytes: limits.pictureBytes)
        let age = limits.unusedSeconds.multipliedReportingOverflow(by: 1000)
        let first = self.now().subtractingSaturating(age.overflow ? .max : age.partialValue)
        disk = try AvatarDisk(folder: folder, limit: limits.diskBytes, usedSince: first)
        requests = AvatarRequestLimiter(limits.requests, perHost: limits.requestsPerHost)
        memory = LRUCache(limit: limits.memoryBytes)
    }

    /// The picture at an http or https URL. Concurrent calls for the same URL share one request.
    /// - Throws: ``FeedClientError``: `.failed` for anything that is not a picture or is too large, `.notFound`,
    ///   `.network` … The same error is thrown for a minute without another request. `CancellationError` if the calling
    ///   task is cancelled.
    public func image(at url: String) async throws -> AvatarImage {
        let url = try AvatarFetcher.validated(url)
        if isClosed { throw Self.closed }
        if let entry = memory.value(for: url), entry.isFresh(at: now()) {
            counts.memoryHits += 1
            usage.use(url, now: now())
            return entry.image(from: .memory)
        }
        if let failure = failures.value(for: url), failure.retryTime > now() { throw failure.error }
        return try await loads.value(for: url) { [self] in try await load(url) }
    }

    /// The picture at a URL if it is in the cache, however old; never sends a request.
    public func cachedImage(at url: String) async -> AvatarImage? {
        guard !isClosed, let url = try? AvatarFetcher.validated(url), let cached = await cachedEntry(url) else {
            return nil
        }
        return await hit(cached, url)
    }

    /// The size of the cache, and its activity since it was opened.
    public func stats() async -> AvatarStats {
        let totals = await disk.totals()
        var stats = counts
        stats.count = totals?.count ?? 0
        stats.bytes = totals?.bytes ?? 0
        stats.limit = limits.diskBytes
        stats.memoryBytes = memory.cost
        return stats
    }

    /// Compares all files on disk with their hashes. Damaged pictures are removed, so that they are fetched again.
    /// - Returns: The number of pictures that were damaged or missing.
    /// - Throws: ``FeedClientError`` `.disk` if the cache cannot be read.
    public func verify() async throws -> Int {
        guard let damaged = await disk.verify() else {
            throw FeedClientError(.disk, "The avatar cache cannot be read", hint: "Empty it: feedclient cache clear")
        }
        return damaged
    }

    /// Removes all pictures from memory and disk. Pictures that are being fetched may still be added.
    /// - Throws: ``FeedClientError`` `.disk` if they cannot be removed; `CancellationError`.
    public func clear() async throws {
        memory.removeAll()
        failures.removeAll()
        usage.clear()
        let isCleared = await disk.clear()
        try Task.checkCancellation()
        guard isCleared else { throw FeedClientError(.disk, "The avatar cache could not be cleared") }
    }

    /// Cancels all requests and saves the times of last use. Must be called once, before the client's `shutdown()`.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        loads.failAll(Self.closed)
        await disk.recordUses(usage.takeUnsaved(now: now()))
        disk.close()
    }

    private static var closed: FeedClientError { FeedClientError(.failed, "The avatar cache is closed") }

    // MARK: Loading

    private func load(_ url: String) async throws -> AvatarImage {
        let cached = await cachedEntry(url)
        if let cached, cached.entry.isFresh(at: now()) { return await hit(cached, url) }
        do {
            return try await fetch(url, cached?.entry)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return try await recover(from: error, url, cached)
        }
    }

    private func cachedEntry(_ url: String) async -> CachedEntry? {
        if let entry = memory.value(for: url) { return CachedEntry(entry: entry, source: .memory) }
        return await disk.entry(url).map { CachedEntry(entry: $0, source: .disk) }
    }

    private func hit(_ cached: CachedEntry, _ url: String) async -> AvatarImage {
        if cached.source == .disk { counts.diskHits += 1 } else { counts.memoryHits += 1 }
        remember(cached.entry, url)
        usage.use(url, now: now())
        if usage.isSaveDue(now: now()) { await disk.recordUses(usage.takeUnsaved(now: now())) }
        return cached.entry.image(from: cached.source)
    }

    private func fetch(_ url: String, _ cached: AvatarEntry?) async throws -> AvatarImage {
        try await requests.run(URLComponents(string: url)?.host?.lowercased() ?? "") {
            try await request(url, cached)
        }
    }

    private func request(_ url: String, _ cached: AvatarEntry?) async throws -> AvatarImage {
        let seconds = cached == nil ? limits.requestSeconds : limits.revalidationSeconds
        let response = try await fetcher.fetch(url, cached: cached, timeout: .seconds(seconds))
        let freshness = Freshness(response.headers, now: now())
        if let cached, response.bytes == nil {
            counts.revalidated += 1
            let entry = cached.revalidated(response.headers, freshUntil: freshness.freshUntil)
            await store(entry, url, freshness)
            return entry.image(from: .revalidated)
        }
        let entry = try AvatarEntry(
            bytes: response.bytes ?? [], headers: response.headers, freshUntil: freshness.freshUntil)
        counts.misses += 1
        await store(entry, url, freshness)
        return entry.image(from: .network)
    }

    private func store(_ entry: AvatarEntry, _ url: String, _ freshness: Freshness) async {
        failures.remove(url)
        guard freshness.isStorable else {
            memory.remove(url)
            return await disk.remove(url)
        }
        remember(entry, url)
        let usedAt = usage.nextTime(now: now())
        await disk.store(entry, at: url, usedAt: usedAt, otherUses: usage.takeUnsaved(now: now()))
    }

    /// Returns the stale picture for a while, unless the server has removed it.
    private func recover(from error: any Error, _ url: String, _ cached: CachedEntry?) async throws -> AvatarImage {
        let error =
            error as? FeedClientError ?? FeedClientError(.network, "The picture could not be fetched", cause: error)
        let retryTime = now() + Int64(max(Self.retryDelay, error.retryAfter ?? 0)) * 1000
        counts.failures += 1
        let isGone = error.code == .notFound || error.code == .unauthorized
        if let cached, !isGone {
            counts.stale += 1
            remember(cached.entry.fresh(until: retryTime), url)
            usage.use(url, now: now())
            return cached.entry.image(from: cached.source)
        }
        failures.insert(Failure(error: error, retryTime: retryTime), for: url, cost: 1)
        memory.remove(url)
        if cached != nil { await disk.remove(url) }
        throw error
    }

    private func remember(_ entry: AvatarEntry, _ url: String) {
        memory.insert(entry, for: url, cost: entry.bytes.count)
    }
}

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

/// The times at which pictures were last used, until they are saved on disk, in milliseconds since 1970.
struct AvatarUsage: Sendable {
    private static let saveInterval: Int64 = 1000

    private var unsaved: [String: Int64] = [:]
    private var lastTime: Int64 = 0
    private var lastSave: Int64 = 0

    mutating func use(_ url: String, now: Int64) { unsaved[url] = nextTime(now: now) }

    /// A time that differs from all earlier ones, so that the order of uses is unambiguous.
    mutating func nextTime(now: Int64) -> Int64 {
        lastTime = max(now, lastTime + 1)
        return lastTime
    }

    /// Whether uses should be saved: at most once a second.
    func isSaveDue(now: Int64) -> Bool { !unsaved.isEmpty && abs(now - lastSave) >= Self.saveInterval }

    /// Returns the uses that have not been saved yet, and marks them as saved.
    mutating func takeUnsaved(now: Int64) -> [String: Int64] {
        defer { clear() }
        lastSave = now
        return unsaved
    }

    mutating func clear() { unsaved = [:] }
}
