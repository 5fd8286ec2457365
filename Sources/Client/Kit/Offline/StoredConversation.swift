import AsyncHTTPClient
import FeedAPI
import Foundation
import GRDB

extension OfflineStore {
    /// A stored status, also one that is only stored inside a boost.
    /// - Returns: `nil` if it is not stored.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func status(_ id: String) async throws -> TimelineEntry? {
        guard let key = StatusKey(id) else { return nil }
        return try await database.read { db in try entry(key, in: db) }
    }

    private func entry(_ key: StatusKey, in db: Database) throws -> TimelineEntry? {
        let sql = """
            SELECT json FROM status JOIN owner ON owner.id = status.owner
            WHERE owner.name = ?1 AND (key = ?2 OR boosted = ?2) ORDER BY key = ?2 DESC LIMIT 1
            """
        guard let json = try Data.fetchOne(db, sql: sql, arguments: [owner, key.text]).map({ [UInt8]($0) }),
            let status = try? JSONDecoder().decode(Entity.Status.self, from: Data(json))
        else { return nil }
        guard status.id != key.id, let inner = status.reblog?.value else {
            return TimelineEntry(status: status, json: json)
        }
        return RawJSON.member("reblog", of: json).map { TimelineEntry(status: inner, json: $0) }
    }

    /// The conversation around a status, as far as it is stored.
    /// - Returns: `nil` if the status is not stored.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func thread(of id: String) async throws -> StatusThread? {
        guard let found = try await status(id), let key = StatusKey(StatusThread.id(found)) else { return nil }
        return try await database.read { db in
            let ancestors = try ancestors(of: found.status.reblog?.value ?? found.status, in: db)
            let known = Set(ancestors.map(\.status.id))
            let replies = try replies(in: db)
            let ids = Self.descendants(of: key.id, replies).filter { !known.contains($0) }
            let descendants = try ids.compactMap { try StatusKey($0).flatMap { try entry($0, in: db) } }
            var thread = StatusThread(ancestors: ancestors, status: found, descendants: descendants)
            thread.lacksStart = (ancestors.first ?? found).inner.in_reply_to_id != nil
            thread.missingReplies = ([found] + descendants).reduce(0) { $0 + Self.missing($1.inner, replies) }
            return thread
        }
    }

    /// Those of some statuses whose thread is not stored as a whole.
    func withIncompleteThread(_ statuses: [Entity.Status]) async throws -> [Entity.Status] {
        var seen: Set<String> = []
        let candidates = statuses.filter {
            ($0.in_reply_to_id != nil || $0.replies_count ?? 0 > 0) && seen.insert($0.id).inserted
        }
        guard let oldest = candidates.compactMap({ StatusKey($0.id) }).min() else { return [] }
        return try await database.read { db in
            let replies = try replies(in: db, after: oldest)
            return try candidates.filter { status in
                let parent = try status.in_reply_to_id.flatMap { StatusKey($0) }.flatMap { try entry($0, in: db) }
                return parent == nil && status.in_reply_to_id != nil || Self.missing(status, replies) > 0
            }
        }
    }

    /// The number of direct replies that the server counts, but that are not stored.
    private static func missing(_ status: Entity.Status, _ replies: [String: [String]]) -> Int {
        max(0, (status.replies_count ?? 0) - (replies[status.id]?.count ?? 0))
    }

    /// From the start of the conversation. Statuses may refer to each other in a circle.
    private func ancestors(of status: Entity.Status, in db: Database) throws -> [TimelineEntry] {
        var (found, next) = ([TimelineEntry](), status.in_reply_to_id)
        var seen: Set = [status.id]
        while let id = next, seen.insert(id).inserted, let key = StatusKey(id), let entry = try entry(key, in: db) {
            found.append(entry)
            next = entry.status.in_reply_to_id
        }
        return found.reversed()
    }

    /// The ids of the stored replies, the oldest first, by the id of the status that they answer.
    /// - Parameter oldest: Only replies after this status; `nil` for all.
    private func replies(in db: Database, after oldest: StatusKey? = nil) throws -> [String: [String]] {
        let sql = """
            SELECT json_extract(text, '$.in_reply_to_id'), json_extract(text, '$.id') FROM (
                SELECT CAST(json AS TEXT) AS text, key FROM status JOIN owner ON owner.id = status.owner
                WHERE owner.name = ? AND key > ? AND boosted IS NULL
            ) AS stored WHERE json_valid(text) AND json_extract(text, '$.in_reply_to_id') IS NOT NULL ORDER BY key
            """
        return try Row.fetchAll(db, sql: sql, arguments: [owner, oldest?.text ?? ""]).reduce(into: [:]) {
            replies, row in
            guard let parent = String.fromDatabaseValue(row[0]), let id = String.fromDatabaseValue(row[1]) else {
                return
            }
            replies[parent, default: []].append(id)
        }
    }

    private static func descendants(of id: String, _ replies: [String: [String]]) -> [String] {
        var (found, waiting, seen) = ([String](), [id][...], Set([id]))
        while let parent = waiting.popFirst() {
            let new = (replies[parent] ?? []).filter { seen.insert($0).inserted }
            found += new
            waiting += new
        }
        return found
    }

    /// The account with a handle as the newest stored status of it shows it.
    /// - Parameter acct: As in ``Entity/Account``, without `@`.
    /// - Returns: `nil` if no status of it is stored.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func account(named acct: String) async throws -> (account: Entity.Account, json: [UInt8])? {
        let json = try await database.read { db in
            let sql = """
                SELECT json FROM (
                    SELECT CAST(json AS TEXT) AS text, json, key FROM status JOIN owner ON owner.id = status.owner
                    WHERE owner.name = ?
                ) AS stored
                WHERE json_valid(text) AND lower(json_extract(text, '$.account.acct')) = lower(?) ORDER BY key DESC LIMIT 1
                """
            return try Data.fetchOne(db, sql: sql, arguments: [owner, acct])
        }
        guard let json, let account = RawJSON.member("account", of: [UInt8](json)) else { return nil }
        return (try? JSONDecoder().decode(Entity.Account.self, from: Data(account))).map { ($0, account) }
    }
}

extension OfflineSync {
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
        guard let status, let json = RawJSON.member(member, of: json) else { return nil }
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
