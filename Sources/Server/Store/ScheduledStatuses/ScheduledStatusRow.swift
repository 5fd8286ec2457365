import FeedCore
import Foundation

/// Reads and writes rows of scheduled_status.
enum ScheduledStatusRow {
    private static let columns =
        "s.id, s.account_id, s.scheduled_at, s.due_at, s.failures, s.parameters, s.idempotency_key"

    /// Reads scheduled statuses with their files.
    /// - Parameter rest: The part of the query after the first table, `s`.
    static func read(_ rest: SQL, in db: Database) throws -> [ScheduledStatus] {
        let found = try db.fetchAll("SELECT \(sql: columns) FROM scheduled_status s \(rest)").compactMap(decode)
        let media = try MediaStore.find(db, ids: Array(Set(found.flatMap(\.parameters.mediaIDs))))
        return found.map { scheduled in
            var scheduled = scheduled
            scheduled.media = scheduled.parameters.mediaIDs.compactMap { media[$0]?.attachment }
            return scheduled
        }
    }

    static func insert(_ scheduled: ScheduledStatus, at now: Int64, in db: Database) throws {
        let parameters = String(decoding: try JSONEncoder().encode(scheduled.parameters), as: UTF8.self)
        try db.cachedStatement(
            sql: """
                INSERT INTO scheduled_status
                (id, account_id, scheduled_at, due_at, failures, parameters, idempotency_key, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            scheduled.id, scheduled.accountID, scheduled.scheduledAt, scheduled.dueAt, scheduled.failures, parameters,
            scheduled.idempotencyKey, now,
        ])
    }

    /// - Returns: `nil` if the parameters cannot be read. Such a row must not hold up the others.
    private static func decode(_ row: Row) -> ScheduledStatus? {
        let text: String = row[5]
        guard let parameters = try? JSONDecoder().decode(ScheduledParameters.self, from: Data(text.utf8)) else {
            return nil
        }
        var scheduled = ScheduledStatus(id: row[0], accountID: row[1], scheduledAt: row[2], parameters: parameters)
        scheduled.dueAt = row[3]
        scheduled.failures = row[4]
        scheduled.idempotencyKey = row[6]
        return scheduled
    }
}
