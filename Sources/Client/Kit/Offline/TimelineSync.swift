/// Reads timelines from a server and keeps a ``TimelineStore`` up to date.
///
/// ```swift
/// let store = try TimelineStore(folder: ClientFolders().state, owner: "\(address) ada")
/// let sync = TimelineSync(store, with: client)
/// let entries = try await sync.statuses(of: .home, count: 40)
/// try await sync.applyChanges()
/// ```
public struct TimelineSync: Sendable {
    let store: TimelineStore
    let client: FeedClient
    let now: @Sendable () -> Int64
    private let onFailure: @Sendable (FeedClientError) -> Void

    /// - Parameters:
    ///   - store: The store, whose owner is the account of the client.
    ///   - now: Milliseconds since 1970; `nil` for the system clock.
    ///   - onFailure: Called when statuses could not be stored, which does not prevent them from being read.
    public init(
        _ store: TimelineStore, with client: FeedClient, now: (@Sendable () -> Int64)? = nil,
        onFailure: @escaping @Sendable (FeedClientError) -> Void = { _ in }
    ) {
        self.store = store
        self.client = client
        self.now = now ?? { Milliseconds.now }
        self.onFailure = onFailure
    }

    // MARK: Timelines

    /// The newest statuses of a timeline, which are also stored. What has been read remains stored after an error or a
    /// crash, except for the last second, and the next call fills the gap.
    /// - Parameters:
    ///   - count: The maximum number of statuses.
    ///   - range: The part of the timeline to read; one that ends at a gap fills it.
    ///   - countsRepetitions: Whether a status that several accounts have boosted counts several times.
    /// - Throws: ``FeedClientError``.
    public func statuses(
        of name: TimelineName, count: Int, in range: TimelineRange = TimelineRange(), countsRepetitions: Bool = true
    ) async throws -> [TimelineEntry] {
        var statuses: [TimelineEntry] = []
        try await readStatuses(of: name, count: count, in: range, countsRepetitions: countsRepetitions) { page in
            statuses += page
            return true
        }
        return statuses
    }

    /// Reads the newest statuses of a timeline, which are also stored, in pages, of which only a few are in memory at a
    /// time. What has been read remains stored as after ``statuses(of:count:in:countsRepetitions:)``.
    /// - Parameters:
    ///   - count: The maximum number of statuses.
    ///   - range: The part of the timeline to read; one that ends at a gap fills it.
    ///   - countsRepetitions: Whether a status that several accounts have boosted counts several times.
    ///   - storesEachPage: Whether each page is stored before `onPage` is called, which may then take long; otherwise,
    ///     several pages are stored together.
    ///   - onPage: Receives the statuses of each page, the newest first, before the next page is requested. Returns
    ///     whether to read on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readStatuses(
        of name: TimelineName, count: Int, in range: TimelineRange = TimelineRange(), countsRepetitions: Bool = true,
        storesEachPage: Bool = false, onPage: (_ statuses: [TimelineEntry]) async throws -> Bool
    ) async throws {
        let limit = StatusLimit(count: count, countsRepetitions: countsRepetitions)
        try await readStatuses(of: name, limit, in: range, storesEachPage: storesEachPage, onPage: onPage)
    }

    /// - Returns: Whether everything was stored.
    @discardableResult
    func readStatuses(
        of name: TimelineName, _ limit: StatusLimit, in range: TimelineRange, storesEachPage: Bool,
        lookup: CachePolicy? = nil, onPage: (_ statuses: [TimelineEntry]) async throws -> Bool
    ) async throws -> Bool {
        var writer = await TimelineWriter(
            store, name, storesEachPage: storesEachPage, time: now(), onFailure: onFailure)
        do {
            try await client.readSegments(of: name, limit, in: range, lookup: lookup) { segment, statuses in
                await writer.append(segment)
                return try await onPage(statuses)
            }
        } catch {
            await writer.finish(isComplete: false)
            throw error
        }
        await writer.finish(isComplete: true)
        return !writer.hasFailed
    }

    // MARK: Changes

    /// The time before a server without a change feed is asked again, in milliseconds.
    static let pause: Int64 = 86_400_000
    private static let changesPerPage = 200
    /// The maximum number of pages per call; the next call reads the rest.
    private static let maximumPages = 10

    /// Applies the edits and deletions since the last call to all stored timelines of the account, not only to those that
    /// are read again. The first call only stores the position. If the server no longer knows all changes since then,
    /// because the last call was too long ago or its database was replaced, the stored statuses are removed, except for
    /// those fetched since the last call, within the last day. A server without a change feed is asked once a day.
    /// - Throws: ``FeedClientError``.
    public func applyChanges() async throws {
        let state = try await store.changeState()
        let now = self.now()
        if let state, state.position == nil, (0..<Self.pause).contains(now.subtractingSaturating(state.time)) { return }
        var position = state?.position
        for _ in 0..<Self.maximumPages {
            guard let page = try await page(since: position) else {
                return try await store.apply([], .init(position: nil, time: now))
            }
            try await store.apply(page.changes, .init(position: page.position, time: now))
            guard page.hasMore, page.position != position else { return }
            position = page.position
        }
    }

    /// - Returns: `nil` if the server has no change feed.
    private func page(since position: String?) async throws -> ChangePage? {
        do {
            return try await client.changes(since: position, limit: Self.changesPerPage, hasNewStatuses: false)
        } catch let error as FeedClientError where error.code == .notFound || [403, 405].contains(error.status) {
            return nil
        }
    }
}

/// Stores the pages of a timeline while they are read, several of them in one transaction.
struct TimelineWriter {
    /// The time after which pages are stored, in seconds.
    private static let interval = 1.0
    /// The number of statuses after which they are stored; until then they are in memory.
    static let maximumStatuses = 2000

    private let store: TimelineStore
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
        _ store: TimelineStore, _ name: TimelineName, storesEachPage: Bool, time: Int64,
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
