/// Stores the pages of a timeline while they are read, several of them in one transaction.
struct TimelineBatch {
    /// The time after which pages are stored, in seconds.
    private static let interval = 1.0
    /// The number of statuses after which they are stored; until then they are in memory.
    static let maximumStatuses = 2000

    private let store: OfflineStore
    private let name: TimelineName
    private let storesEachPage: Bool
    /// The start of the read, in milliseconds since 1970. Statuses that are read together get the same age, even if the
    /// read takes long, so that the oldest statuses are removed first.
    private let time: Int64
    private let onFailure: @Sendable (FeedClientError) -> Void
    /// The revision of the timeline before the pages were fetched.
    private let revision: Int64?
    private var pending: [TimelineSegment] = []
    private var lastTime = Monotonic.now
    /// Whether the server has more than the last page; `nil` before the first one.
    private var hasMore: Bool?
    /// The statuses of a timeline that is not sorted by ids. They become part of it together; after a crash, those that
    /// are in no timeline are removed when they are too old.
    private var keys: [StatusKey] = []
    /// After a failure, nothing more is stored: the next one would have the same cause.
    private(set) var hasFailed = false

    /// - Parameters:
    ///   - storesEachPage: Whether each page is stored at once.
    ///   - time: Milliseconds since 1970.
    init(
        _ store: OfflineStore, _ name: TimelineName, storesEachPage: Bool, time: Int64,
        onFailure: @escaping @Sendable (FeedClientError) -> Void
    ) async {
        (self.store, self.name, self.storesEachPage) = (store, name, storesEachPage)
        (self.time, self.onFailure) = (time, onFailure)
        revision = try? await store.revision(of: name)
    }

    private var isDue: Bool {
        storesEachPage || Monotonic.now - lastTime >= Self.interval
            || pending.reduce(0) { $0 + $1.entries.count } >= Self.maximumStatuses
    }

    /// Stores a page, at the latest with one of the next ones.
    mutating func append(_ page: TimelineSegment) async {
        pending.append(page)
        hasMore = page.next != nil
        if isDue { await storePending() }
    }

    /// Stores the rest.
    /// - Parameter isComplete: Whether all pages have been read. A timeline that is not sorted by ids must not be replaced
    ///   by a part of it.
    mutating func finish(isComplete: Bool) async {
        if isComplete || name.isSortedByID { await storePending() }
        guard !name.isSortedByID, let hasGap = hasMore else { return }
        let stored = keys
        await attempt { [store, name, time] in
            if isComplete {
                try await store.replace(name, with: stored, hasGap: hasGap, now: time)
            } else {
                try await store.removeUnused(stored)
            }
        }
    }

    private mutating func storePending() async {
        let segments = pending
        (pending, lastTime) = ([], Monotonic.now)
        guard !segments.isEmpty else { return }
        guard name.isSortedByID else {
            let entries = segments.flatMap(\.entries)
            let added = await attempt { [store, time] in try await store.add(entries, now: time) }
            keys += added ?? []
            return
        }
        await attempt { [store, name, time, revision] in
            try await store.save(segments, of: name, now: time, revision: revision)
        }
    }

    @discardableResult private mutating func attempt<Value>(_ work: () async throws -> Value) async -> Value? {
        guard !hasFailed else { return nil }
        do { return try await work() } catch {
            hasFailed = true
            let unknown = FeedClientError(.disk, "The timeline could not be stored", cause: error)
            onFailure(error as? FeedClientError ?? unknown)
            return nil
        }
    }
}
