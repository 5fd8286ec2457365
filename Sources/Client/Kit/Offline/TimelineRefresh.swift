import FeedAPI
import GRDB

/// Decides which request brings a stored timeline up to date.
struct TimelineRefresh: Equatable {
    enum Step: Equatable {
        /// The change feed, and what is newer than the newest stored status if the feed announces something.
        case changes
        /// Everything newer than the newest stored status.
        case news
        /// The newest page, which is confirmed without being sent if the server sends a validator.
        case page
    }

    /// The time after which the newest page is compared as a whole, in milliseconds: counts change without an entry of the
    /// feed, and what an account follows on another device decides which old statuses its timelines contain.
    static let interval: Int64 = 15 * 60_000
    /// The same while nobody is reading.
    static let longInterval: Int64 = 6 * 3_600_000

    let state: OfflineStore.NewestState
    /// The time at which the change feed was read, in milliseconds since 1970; `nil` if it says nothing about the
    /// timeline.
    let feedTime: Int64?
    /// The time after which the newest page is compared, in milliseconds.
    let maximumAge: Int64
    /// Whether the server can confirm the newest page.
    let canConfirm: Bool
    /// The time of this account's last change, in milliseconds since 1970.
    let lastEdit: Int64
    /// Milliseconds since 1970.
    let now: Int64

    var step: Step {
        if lastEdit >= state.verifiedAt { return .page }
        let isOld = !(0..<maximumAge).contains(now.subtractingSaturating(state.verifiedAt))
        guard let feedTime else { return isOld || canConfirm ? .page : .news }
        // Rare refreshes alternate, so that each is one request.
        return isOld && state.verifiedAt <= feedTime ? .page : .changes
    }
}

extension OfflineSync {
    /// The id of an account or a list hardly ever changes.
    private static let lookup = CachePolicy.maximumAge(.seconds(86_400))

    /// The newest statuses of a timeline, like ``readStatuses(of:count:in:countsRepetitions:storesEachPage:onPage:)``, but
    /// at the cost of what has changed since they were stored.
    ///
    /// Without news, this is one request: to the change feed if the server has it, for the newest page with its
    /// validator if the server sends one, and otherwise for what is newer than the newest stored status. Counts may be
    /// a quarter of an hour old, unless this account has changed something.
    /// - Parameters:
    ///   - count: The maximum number of statuses.
    ///   - countsRepetitions: Whether a status that several accounts have boosted counts several times.
    ///   - onPage: Receives the statuses in parts, the newest first. Returns whether to read on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func refreshStatuses(
        of name: TimelineName, count: Int, countsRepetitions: Bool = true,
        onPage: (_ statuses: [TimelineEntry]) async throws -> Bool
    ) async throws {
        let limit = StatusLimit(count: count, countsRepetitions: countsRepetitions)
        guard try await update(name, limit) != nil else {
            _ = try await readStatuses(of: name, limit, in: TimelineRange(), storesEachPage: true, onPage: onPage)
            return
        }
        try await readStored(name, count, limit, onPage: onPage)
    }

    /// Fetches what has changed in a stored timeline.
    /// - Parameters:
    ///   - count: The maximum number of statuses.
    ///   - isFeedRead: Whether the change feed has just been read.
    /// - Returns: The number of new statuses; `nil` if nothing has been stored of the timeline, or it could not be stored.
    /// - Throws: ``FeedClientError``.
    func update(_ name: TimelineName, _ limit: StatusLimit, isFeedRead: Bool = false) async throws -> Int? {
        guard name.isSortedByID, let state = try? await store.newestState(of: name) else {
            // The position comes first, so that no change is lost between it and the page.
            if !isFeedRead { try await readFeed() }
            return nil
        }
        do {
            return try await update(name, limit, state, isFeedRead: isFeedRead)
        } catch let error as FeedClientError where error.code == .notFound {
            // The account or the list has another id now.
            return nil
        }
    }

    private func update(
        _ name: TimelineName, _ limit: StatusLimit, _ state: OfflineStore.NewestState, isFeedRead: Bool
    ) async throws -> Int? {
        switch try await step(name, limit, state, isFeedRead: isFeedRead) {
        case .page: return try await fetchPage(name, limit, above: state.head)
        case .news: return try await fetch(name, limit, since: state.head)
        case .changes:
            if !isFeedRead { try await readFeed() }
            // After a `resync`, even the newest stored status may be unknown to the server.
            guard let state = try await store.newestState(of: name), state.verifiedAt > 0 else {
                return try await fetchPage(name, limit, above: nil)
            }
            let hasFeed = try await store.changeState()?.position != nil
            return state.hasNews || !hasFeed ? try await fetch(name, limit, since: state.head) : 0
        }
    }

    private func step(
        _ name: TimelineName, _ limit: StatusLimit, _ state: OfflineStore.NewestState, isFeedRead: Bool
    ) async throws -> TimelineRefresh.Step {
        let feed = name.isInChangeFeed && client.credential != nil ? try await store.changeState() : nil
        let pageSize = min(FeedClient.statusesPerPage, limit.missing)
        return TimelineRefresh(
            state: state, feedTime: feed?.position == nil ? nil : isFeedRead ? .max : feed?.time,
            maximumAge: isFeedRead ? TimelineRefresh.longInterval : TimelineRefresh.interval,
            canConfirm: try await client.canConfirmPage(of: name, pageSize, lookup: Self.lookup),
            lastEdit: await client.transport.cache?.lastEdit() ?? 0, now: now()
        ).step
    }

    /// Applies the changes of the feed. A server that fails to send them may send the timeline nevertheless.
    func readFeed() async throws {
        guard client.credential != nil else { return }
        do { try await applyChanges() } catch let error as FeedClientError where error.status != nil {}
    }

    private func fetchPage(_ name: TimelineName, _ limit: StatusLimit, above head: StatusKey?) async throws -> Int? {
        var count = 0
        let page = StatusLimit(count: min(FeedClient.statusesPerPage, limit.missing), countsRepetitions: true)
        let isStored = try await readStatuses(
            of: name, page, in: TimelineRange(), storesEachPage: true, lookup: Self.lookup
        ) { statuses in
            count = statuses.count { status in
                StatusKey(status.status.id).map { key in head.map { key > $0 } ?? true } ?? false
            }
            return false
        }
        return isStored ? count : nil
    }

    /// Fetches what is newer than the newest stored status. If there is more than the limit, a gap remains.
    private func fetch(_ name: TimelineName, _ limit: StatusLimit, since head: StatusKey) async throws -> Int? {
        var count = 0
        let isStored = try await readStatuses(
            of: name, limit, in: TimelineRange(since: head.id), storesEachPage: true, lookup: Self.lookup
        ) { statuses in
            count += statuses.count
            return true
        }
        return isStored ? count : nil
    }

    /// Reads the stored statuses down to the first gap, and the rest from the server.
    private func readStored(
        _ name: TimelineName, _ count: Int, _ start: StatusLimit,
        onPage: (_ statuses: [TimelineEntry]) async throws -> Bool
    ) async throws {
        var (limit, last, hasGap) = (start, String?.none, false)
        let parts = store.parts(of: name, count: count, countsRepetitions: start.countsRepetitions)
        for try await part in parts where !hasGap {
            let statuses = part.startsWithGap ? [] : Array(part.unbroken.prefix(while: { limit.take($0) }))
            last = statuses.last?.status.id ?? last
            hasGap = part.startsWithGap || part.entries.contains(where: \.hasGap)
            guard try await onPage(statuses) else { return }
        }
        guard hasGap, limit.missing > 0, let last else { return }
        _ = try await readStatuses(
            of: name, limit, in: TimelineRange(before: last), storesEachPage: true, lookup: Self.lookup, onPage: onPage)
    }
}

extension TimelineName {
    /// Whether the change feed contains all new statuses of the timeline. It has the boosts of followed accounts only.
    fileprivate var isInChangeFeed: Bool {
        switch self {
        case .home, .public, .local, .tag, .list: true
        case .account, .favourites, .bookmarks: false
        }
    }
}

extension OfflineStore {
    /// Everything known about the newest statuses of a timeline.
    struct NewestState: Equatable, Sendable {
        /// The newest stored status.
        let head: StatusKey
        /// Whether there may be newer ones, according to the change feed.
        let hasNews: Bool
        /// The time at which the newest page was last compared as a whole, in milliseconds since 1970.
        let verifiedAt: Int64
    }

    /// - Returns: `nil` if the newest statuses have not been stored.
    func newestState(of name: TimelineName) async throws -> NewestState? {
        try await database.read { db in
            let sql = """
                SELECT (SELECT max(entry.key) FROM entry WHERE entry.timeline = timeline.id), has_news, verified_at
                FROM timeline JOIN owner ON owner.id = timeline.owner
                WHERE owner.name = ? AND timeline.name = ? AND synced_at > 0
                """
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [owner, name.storedName]),
                let head = String.fromDatabaseValue(row[0])
            else { return nil }
            return NewestState(
                head: StatusKey(text: head), hasNews: Int64.fromDatabaseValue(row[1]) != 0,
                verifiedAt: Int64.fromDatabaseValue(row[2]) ?? 0)
        }
    }
}

/// News that the change feed has announced and nobody has fetched yet. A value is valid only within one database
/// access.
struct NewsTable {
    /// News of the feed besides statuses.
    enum List: String, CaseIterable {
        case notifications, conversations

        /// A direct status is only an `update` in the feed.
        func isAnnounced(by events: Set<String>) -> Bool {
            switch self {
            case .notifications: events.contains("notification")
            case .conversations: !events.isDisjoint(with: ["conversation", "update", "status.update"])
            }
        }

        /// The column with the time at which the list was fetched.
        var column: String { rawValue + "_at" }
    }

    let db: Database
    let owner: Int64

    /// - Parameter events: The events of the feed; after `resync`, everything may be new.
    func add(_ events: Set<String>) throws {
        func contains(_ event: String) -> Bool { events.contains(event) || events.contains("resync") }
        // The revision tells a process that is reading the timeline that its pages may lack these statuses.
        if contains("update") { try set("timeline", "has_news = 1, revision = random()", of: "owner") }
        if contains("filters_changed") { try set("timeline", "verified_at = 0", of: "owner") }
        for list in List.allCases where list.isAnnounced(by: events) || events.contains("resync") {
            try set("owner", list.column + " = 0", of: "id")
        }
    }

    private func set(_ table: String, _ assignments: String, of column: String) throws {
        try db.execute(sql: "UPDATE \(table) SET \(assignments) WHERE \(column) = ?", arguments: [owner])
    }
}
