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
        if let count = try await update(name, limit, isFeedRead: true) { return count }
        do {
            return try await statuses(of: name, count: maximum).count
        } catch let error as FeedClientError where error.code == .notFound { return 0 }
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
