package import FeedCore
import Foundation

/// Stores statuses in the database that will be published at a later time.
package struct ScheduledStatusStore: Sendable {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Stores a status, or returns what an earlier request with the same idempotency key created. The attached files no
    /// longer expire, and cannot be attached to anything else.
    /// - Parameter time: Milliseconds since 1970.
    /// - Throws: ``FeedError`` `.invalid` if the account has too many, or if a file cannot be attached.
    package func insert(_ draft: StatusDraft, at time: Int64, by account: Int64) async throws -> SchedulingResult {
        let now = database.clock.now()
        return try await database.commits.write { db in
            if let key = draft.idempotencyKey, let earlier = try Self.existing(key, of: account, at: now, in: db) {
                return earlier
            }
            try db.requireActiveAccount(account)
            try ScheduledStatusRule.check(count: try Self.count(of: account, in: db))
            var scheduled = ScheduledStatus(
                id: try db.nextID(now: now), accountID: account, scheduledAt: time,
                parameters: ScheduledStatusContent(draft))
            scheduled.idempotencyKey = draft.idempotencyKey
            try ScheduledStatusRow.insert(scheduled, at: now, in: db)
            try MediaStore.reserve(draft, for: scheduled.id, by: account, at: now, in: db)
            guard let stored = try Self.find(scheduled.id, of: account, in: db) else { throw FeedError.notFound }
            return .scheduled(stored)
        }
    }

    /// The result of an earlier request with the same idempotency key.
    package func existing(key: String, of account: Int64) async throws -> SchedulingResult? {
        let now = database.clock.now()
        return try await database.read { try Self.existing(key, of: account, at: now, in: $0) }
    }

    package func statuses(of account: Int64, page: Pagination) async throws -> [ScheduledStatus] {
        let rest: SQL = """
            WHERE s.account_id = \(account) AND \(page.bounds(on: "s.id")) ORDER BY s.id \(page.order) LIMIT \(page.limit)
            """
        let statuses = try await database.read { try ScheduledStatusRow.read(rest, in: $0) }
        return page.isAscending ? statuses.reversed() : statuses
    }

    package func status(id: Int64, of account: Int64) async throws -> ScheduledStatus? {
        try await database.read { try Self.find(id, of: account, in: $0) }
    }

    /// Changes the time of publication.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such status.
    package func move(_ id: Int64, to time: Int64, of account: Int64) async throws -> ScheduledStatus {
        try await database.commits.write { db in
            try db.execute(
                """
                UPDATE scheduled_status SET scheduled_at = \(time), due_at = \(time), failures = 0
                WHERE id = \(id) AND account_id = \(account)
                """)
            guard let moved = try Self.find(id, of: account, in: db) else { throw FeedError.notFound }
            return moved
        }
    }

    /// Deletes a scheduled status. Its files can be attached again for a day.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such status.
    package func cancel(_ id: Int64, of account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            try MediaStore.release(from: id, of: account, at: now, in: db)
            try db.execute("DELETE FROM scheduled_status WHERE id = \(id) AND account_id = \(account)")
            guard try db.changesCount > 0 else { throw FeedError.notFound }
        }
    }
}

extension ScheduledStatusStore {
    private static func find(_ id: Int64, of account: Int64, in db: Database) throws -> ScheduledStatus? {
        try ScheduledStatusRow.read("WHERE s.id = \(id) AND s.account_id = \(account)", in: db).first
    }

    private static func count(of account: Int64, in db: Database) throws -> Int {
        let query: SQL = "SELECT count(*) FROM scheduled_status WHERE account_id = \(account)"
        return try db.fetchOne(query, as: Int.self) ?? 0
    }

    /// The result of an earlier request with the key: a scheduled status, or the status that was published from it.
    private static func existing(
        _ key: String, of account: Int64, at now: Int64, in db: Database
    ) throws -> SchedulingResult? {
        let rest: SQL = """
            WHERE s.account_id = \(account) AND s.idempotency_key = \(key)
            AND s.created_at > \(IdempotencyKey.expiry(at: now)) ORDER BY s.id DESC LIMIT 1
            """
        if let scheduled = try ScheduledStatusRow.read(rest, in: db).first { return .scheduled(scheduled) }
        return try StatusStore.existing(key, of: account, at: now, in: db).map(SchedulingResult.published)
    }
}

/// Reads and writes rows of scheduled_status.
enum ScheduledStatusRow {
    private enum Column: Int, EntityColumn {
        case id, accountID, scheduledAt, dueAt, failures, parameters, idempotencyKey

        static let columns = list(of: "s")
    }

    /// Reads scheduled statuses with their files.
    /// - Parameter rest: The part of the query after the first table, `s`.
    static func read(_ rest: SQL, in db: Database) throws -> [ScheduledStatus] {
        let query: SQL = "SELECT \(sql: Column.columns) FROM scheduled_status s \(rest)"
        let statuses = try db.fetchAll(query).compactMap { try decode(EntityRow($0, Column.self)) }
        let media = try MediaStore.find(db, ids: Array(Set(statuses.flatMap(\.parameters.mediaIDs))))
        return statuses.map { scheduled in
            var scheduled = scheduled
            scheduled.media = scheduled.parameters.mediaIDs.compactMap { media[$0]?.attachment }
            return scheduled
        }
    }

    static func insert(_ scheduled: ScheduledStatus, at now: Int64, in db: Database) throws {
        let parameters = String(decoding: try JSONEncoder().encode(scheduled.parameters), as: UTF8.self)
        try db.execute(
            """
            INSERT INTO scheduled_status
            (id, account_id, scheduled_at, due_at, failures, parameters, idempotency_key, created_at)
            VALUES (\(scheduled.id), \(scheduled.accountID), \(scheduled.scheduledAt), \(scheduled.dueAt),
            \(scheduled.failures), \(parameters), \(scheduled.idempotencyKey), \(now))
            """)
    }

    /// - Returns: `nil` if the parameters cannot be read. Such a row must not hold up the others.
    private static func decode(_ row: EntityRow<Column>) throws -> ScheduledStatus? {
        let text: String = try row[.parameters]
        guard let parameters = try? JSONDecoder().decode(ScheduledStatusContent.self, from: Data(text.utf8)) else {
            return nil
        }
        var scheduled = try ScheduledStatus(
            id: row[.id], accountID: row[.accountID], scheduledAt: row[.scheduledAt], parameters: parameters)
        scheduled.dueAt = try row[.dueAt]
        scheduled.failures = try row[.failures]
        scheduled.idempotencyKey = try row[.idempotencyKey]
        return scheduled
    }
}
