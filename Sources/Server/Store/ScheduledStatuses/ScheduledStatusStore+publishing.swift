package import FeedCore

extension ScheduledStatusStore {
    package func due(limit: Int) async throws -> [ScheduledStatus] {
        let now = database.clock.now()
        let rest: SQL = """
            CROSS JOIN account a ON a.id = s.account_id
            WHERE s.due_at <= \(now) AND a.suspended_at IS NULL ORDER BY s.due_at, s.id LIMIT \(limit)
            """
        return try await database.read { try ScheduledStatusRow.read(rest, in: $0) }
    }

    package func nextDue() async throws -> Int64? {
        try await database.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT s.due_at FROM scheduled_status s CROSS JOIN account a ON a.id = s.account_id
                    WHERE a.suspended_at IS NULL ORDER BY s.due_at LIMIT 1
                    """)
            return try Int64.fetchOne(statement)
        }
    }

    package func publish(_ scheduled: ScheduledStatus, as status: PreparedStatus) async throws -> Status? {
        let now = database.clock.now()
        return try await database.commits.write { db in
            // Releases the files, which the status then takes. Only one server finds the row.
            try db.cachedStatement(sql: "DELETE FROM scheduled_status WHERE id = ? AND due_at = ?")
                .execute(arguments: [scheduled.id, scheduled.dueAt])
            guard db.changesCount > 0 else { return nil }
            guard try db.actor(scheduled.accountID).suspendedAt == nil else { throw FeedError.suspended }
            return try StatusStore.post(status, at: now, in: db)
        }
    }

    package func postpone(_ scheduled: ScheduledStatus, until time: Int64) async throws {
        try await database.commits.write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE scheduled_status SET due_at = ?1,
                    failures = CASE WHEN failures < 1000 THEN failures + 1 ELSE failures END
                    WHERE id = ?2 AND due_at = ?3
                    """
            ).execute(arguments: [time, scheduled.id, scheduled.dueAt])
        }
    }
}
