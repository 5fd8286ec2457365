package import FeedCore

/// Stores scheduled statuses in the database.
package struct ScheduledStatusStore: ScheduledStatusStoring {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func insert(_ draft: StatusDraft, at time: Int64, by account: Int64) async throws -> SchedulingResult {
        let now = database.clock.now()
        return try await database.commits.write { db in
            if let key = draft.idempotencyKey, let known = try Self.existing(key, of: account, at: now, in: db) {
                return known
            }
            try db.actor(account)
            try ScheduleRule.check(count: try Self.count(of: account, in: db))
            var scheduled = ScheduledStatus(
                id: try db.nextID(now: now), accountID: account, scheduledAt: time,
                parameters: ScheduledParameters(draft))
            scheduled.idempotencyKey = draft.idempotencyKey
            try ScheduledStatusRow.insert(scheduled, at: now, in: db)
            try MediaStore.reserve(draft, for: scheduled.id, by: account, at: now, in: db)
            guard let stored = try Self.find(scheduled.id, of: account, in: db) else { throw FeedError.notFound }
            return .scheduled(stored)
        }
    }

    package func existing(key: String, of account: Int64) async throws -> SchedulingResult? {
        let now = database.clock.now()
        return try await database.read { try Self.existing(key, of: account, at: now, in: $0) }
    }

    package func statuses(of account: Int64, page: Pagination) async throws -> [ScheduledStatus] {
        let rest: SQL = """
            WHERE s.account_id = \(account) AND \(page.bounds(on: "s.id")) ORDER BY s.id \(page.order) LIMIT \(page.limit)
            """
        let found = try await database.read { try ScheduledStatusRow.read(rest, in: $0) }
        return page.readsUpwards ? found.reversed() : found
    }

    package func status(id: Int64, of account: Int64) async throws -> ScheduledStatus? {
        try await database.read { try Self.find(id, of: account, in: $0) }
    }

    package func move(_ id: Int64, to time: Int64, of account: Int64) async throws -> ScheduledStatus {
        try await database.commits.write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE scheduled_status SET scheduled_at = ?1, due_at = ?1, failures = 0
                    WHERE id = ?2 AND account_id = ?3
                    """
            ).execute(arguments: [time, id, account])
            guard let moved = try Self.find(id, of: account, in: db) else { throw FeedError.notFound }
            return moved
        }
    }

    package func cancel(_ id: Int64, of account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            try MediaStore.release(from: id, of: account, at: now, in: db)
            try db.cachedStatement(sql: "DELETE FROM scheduled_status WHERE id = ? AND account_id = ?")
                .execute(arguments: [id, account])
            guard db.changesCount > 0 else { throw FeedError.notFound }
        }
    }
}

extension ScheduledStatusStore {
    private static func find(_ id: Int64, of account: Int64, in db: Database) throws -> ScheduledStatus? {
        try ScheduledStatusRow.read("WHERE s.id = \(id) AND s.account_id = \(account)", in: db).first
    }

    private static func count(of account: Int64, in db: Database) throws -> Int {
        let statement = try db.cachedStatement(sql: "SELECT count(*) FROM scheduled_status WHERE account_id = ?")
        return try Int.fetchOne(statement, arguments: [account]) ?? 0
    }

    /// What a request with the key created: a scheduled status, or the status that was published from it.
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
