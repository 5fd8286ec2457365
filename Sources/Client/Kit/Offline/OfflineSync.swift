import FeedAPI
import Foundation

/// Reads timelines from a server and keeps an ``OfflineStore`` up to date.
///
/// ```swift
/// let store = try OfflineStore(folder: ClientFolders().state, owner: "\(address) ada")
/// let sync = OfflineSync(store, with: client)
/// let entries = try await sync.statuses(of: .home, count: 40)
/// try await sync.applyChanges()
/// ```
public struct OfflineSync: Sendable {
    let store: OfflineStore
    let client: FeedClient
    let now: @Sendable () -> Int64
    private let onFailure: @Sendable (FeedClientError) -> Void

    /// - Parameters:
    ///   - store: The store, whose owner is the account of the client.
    ///   - now: Milliseconds since 1970; `nil` for the system clock.
    ///   - onFailure: Called when statuses could not be stored, which does not prevent them from being read.
    public init(
        _ store: OfflineStore, with client: FeedClient, now: (@Sendable () -> Int64)? = nil,
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
        var writer = await TimelineBatch(
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

/// The outcome of ``OfflineSync/syncAccount()``.
public struct SyncSummary: Sendable, Equatable {
    /// The number of new statuses in all timelines, notifications and conversations.
    public var statuses = 0, notifications = 0, conversations = 0
    /// The addresses of the avatars in the newest statuses and notifications.
    public var avatars: Set<String> = []

    public init() {}

    init(avatars: Set<String>) { self.avatars = avatars }
}

extension OfflineSync {
    /// The maximum number of statuses that are fetched at once, of the home timeline and of the others.
    private static let homeCount = 200
    private static let count = 40
    /// The maximum number of timelines.
    private static let maximumTimelines = 20
    /// Pages that are read for a day without a network, and rarely change.
    private static let rare = CachePolicy.maximumAge(.seconds(3600))

    /// Fetches what has changed since the last call in the home timeline and the other stored timelines, and in the
    /// notifications, conversations, lists and profile of the account, and the threads of what is new, so that they can be
    /// read without a network. If the change feed says that nothing has changed, it is the only request.
    /// - Throws: ``FeedClientError``. What was fetched before the error remains stored.
    public func syncAccount() async throws -> SyncSummary {
        var summary = SyncSummary()
        try await readFeed()
        for name in try await timelines() { summary.statuses += try await sync(name) }
        let home = try await newestOfHome()
        summary.avatars.formUnion(home.compactMap(\.inner.account.avatar))
        if try await isNeeded(.notifications) {
            let new = try await fetched(.notifications) { try await updateList(.notifications) } ?? []
            summary.notifications = new.count
            summary.avatars.formUnion(new.compactMap(\.value.account?.avatar))
        }
        if try await isNeeded(.conversations) {
            summary.conversations =
                try await fetched(.conversations) { try await updateList(.conversations)?.count } ?? 0
        }
        try await syncThreads(home: home, hasNews: summary != SyncSummary(avatars: summary.avatars))
        for path in [Paths.verifyCredentials, Paths.lists] { try await fetch(path, [], Self.rare) }
        return summary
    }

    private func newestOfHome() async throws -> [TimelineEntry] {
        var entries: [TimelineEntry] = []
        for try await part in store.parts(of: .home, count: Self.count) { entries += part.entries.map(\.entry) }
        return entries
    }

    private func timelines() async throws -> [TimelineName] {
        let stored = try await store.timelineNames().filter { $0 != .home && $0.isSortedByID }
        return [.home] + stored.prefix(Self.maximumTimelines)
    }

    /// - Returns: The number of new statuses. One that is gone does not end the synchronization.
    private func sync(_ name: TimelineName) async throws -> Int {
        let maximum = name == .home ? Self.homeCount : Self.count
        let limit = StatusLimit(count: maximum, countsRepetitions: true)
        let head = try await store.newestState(of: name)?.head
        if let count = try await update(name, limit, isFeedRead: true) {
            guard let head, count >= Self.count, count < maximum else { return count }
            return count + (try await fill(name, above: head, maximum - count))
        }
        do {
            return try await statuses(of: name, count: maximum).count
        } catch let error as FeedClientError where error.code == .notFound { return 0 }
    }

    /// Fetches what is missing between the newest page and what was stored before.
    /// - Parameter head: The newest status that was stored before.
    /// - Returns: The number of fetched statuses.
    private func fill(_ name: TimelineName, above head: StatusKey, _ count: Int) async throws -> Int {
        let gap = try await store.statuses(of: name, count: Self.homeCount)?.entries.first(where: \.hasGap)
        guard let gap = gap.flatMap({ StatusKey($0.entry.status.id) }), gap > head else { return 0 }
        return try await statuses(of: name, count: count, in: TimelineRange(before: gap.id, since: head.id)).count
    }

    // MARK: Notifications and conversations

    /// - Returns: Whether there may be something new.
    private func isNeeded(_ list: NewsTable.List) async throws -> Bool {
        try await store.changeState()?.position == nil ? true : try await store.hasNews(list, at: now())
    }

    private func fetched<Value>(_ list: NewsTable.List, _ body: () async throws -> Value) async throws -> Value {
        // What is announced while the list is read is fetched the next time.
        try await store.setFetched(list, at: now())
        do { return try await body() } catch {
            try await store.setFetched(list, at: 0)
            throw error
        }
    }

    /// - Returns: `nil` if the server does not have the path.
    @discardableResult
    func fetch(_ path: String, _ query: [(String, String?)], _ policy: CachePolicy) async throws -> Response? {
        do { return try await client.transport.send(client.request(path, query: query), policy) } catch let error
            as FeedClientError
            where error.code == .notFound || error.status == 403
        {
            return nil
        }
    }
}
