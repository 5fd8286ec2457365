import AsyncHTTPClient
import FeedAPI
import Foundation
import GRDB
import NIOHTTP1

/// What ``TimelineSync/syncAccount()`` has brought.
public struct SyncSummary: Sendable, Equatable {
    /// The number of new statuses in all timelines, notifications and conversations.
    public var statuses = 0, notifications = 0, conversations = 0
    /// The addresses of the avatars in the newest statuses and notifications.
    public var avatars: Set<String> = []

    public init() {}

    init(avatars: Set<String>) { self.avatars = avatars }
}

extension TimelineSync {
    /// The maximum number of statuses that are fetched at once, of the home timeline and of the others.
    private static let homeCount = 200
    private static let count = 40
    /// The maximum number of timelines.
    private static let maximumTimelines = 20
    /// What is read for a day without a network, and rarely changes.
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

extension TimelineStore {
    /// The stored timelines whose newest statuses were fetched, the last fetched first.
    func timelineNames() async throws -> [TimelineName] {
        try await database.read { db in
            let sql = """
                SELECT timeline.name FROM timeline JOIN owner ON owner.id = timeline.owner
                WHERE owner.name = ? AND synced_at > 0 ORDER BY synced_at DESC
                """
            return try String.fetchAll(db, sql: sql, arguments: [owner]).compactMap { TimelineName(storedName: $0) }
        }
    }

    /// Whether the change feed has announced something for a list that has not been fetched, or it was fetched long ago.
    /// - Parameter now: Milliseconds since 1970.
    func hasNews(_ list: NewsTable.List, at now: Int64) async throws -> Bool {
        try await database.read { db in
            let sql = "SELECT \(list.column) FROM owner WHERE name = ?"
            let time = try Int64.fetchOne(db, sql: sql, arguments: [owner]) ?? 0
            return !(0..<TimelineRefresh.longInterval).contains(now.subtractingSaturating(time))
        }
    }

    /// - Parameter time: When the list was fetched, in milliseconds since 1970; 0 if it has to be fetched.
    func setFetched(_ list: NewsTable.List, at time: Int64) async throws {
        try await database.write { db in
            let account = try Self.ownerID(owner, in: db)
            try db.execute(sql: "UPDATE owner SET \(list.column) = ? WHERE id = ?", arguments: [time, account])
        }
    }
}

extension TimelineSync {
    /// The maximum number of threads that are fetched at once.
    private static let maximumThreads = 40
    /// The number of statuses of a thread that are stored in each direction; the nearest ones.
    private static let maximumAncestors = 100
    private static let maximumReplies = 400
    /// The number of mentions and conversations whose threads are fetched.
    private static let maximumMentions = 20
    /// The time in milliseconds before a thread is asked for again: a status may count replies that nobody may see.
    private static let threadAge: Int64 = 3_600_000

    /// Fetches the threads of the newest mentions, conversations and statuses of the home timeline, as far as they are not
    /// stored.
    /// - Parameters:
    ///   - home: The newest statuses of the home timeline, the newest first.
    ///   - hasNews: Whether anything has been fetched since the last call.
    /// - Throws: ``FeedClientError``. What was fetched before the error remains stored.
    func syncThreads(home: [TimelineEntry], hasNews: Bool) async throws {
        let newest = home.first.flatMap { StatusKey($0.status.id) }
        let isDone = try await store.threadPosition().map { position in newest.map { $0 <= position } ?? true }
        guard hasNews || isDone != true else { return }
        do {
            let direct = try await storeDirectStatuses()
            for status in try await store.withIncompleteThread(direct + home.map(\.inner)).prefix(Self.maximumThreads) {
                try await storeThread(of: status.id)
            }
            if let newest { try await store.setThreadPosition(newest) }
        } catch {
            try await store.setThreadPosition(nil)
            throw error
        }
    }

    /// Stores the statuses of mentions and conversations, which need not be in any timeline.
    private func storeDirectStatuses() async throws -> [Entity.Status] {
        let mentions = await client.storedList(.notifications)?.items.filter { $0.value.type == "mention" } ?? []
        let conversations = await client.storedList(.conversations)?.items ?? []
        let entries =
            mentions.prefix(Self.maximumMentions).compactMap { Self.entry($0.value.status, "status", of: $0.json) }
            + conversations.prefix(Self.maximumMentions).compactMap {
                Self.entry($0.value.last_status, "last_status", of: $0.json)
            }
        var missing: [TimelineEntry] = []
        for entry in entries where try await store.status(entry.status.id) == nil { missing.append(entry) }
        _ = try await store.add(missing, now: now())
        return entries.map(\.status)
    }

    private static func entry(_ status: Entity.Status?, _ member: String, of json: [UInt8]) -> TimelineEntry? {
        guard let status, let json = JSONText.member(member, of: json) else { return nil }
        return TimelineEntry(status: status, json: json)
    }

    /// A thread that is gone does not end the synchronization.
    private func storeThread(of id: String) async throws {
        let asked = await client.transport.cache?.confirmedAt(client.contextRequest(id).url) ?? 0
        guard !(0..<Self.threadAge).contains(now().subtractingSaturating(asked)) else { return }
        do {
            let (ancestors, descendants) = try await client.context(of: id)
            let entries = ancestors.suffix(Self.maximumAncestors) + descendants.prefix(Self.maximumReplies)
            _ = try await store.add(Array(entries), now: now())
        } catch let error as FeedClientError where error.code == .notFound || error.status == 403 {}
    }
}
