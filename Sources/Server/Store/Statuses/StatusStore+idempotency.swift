import FeedCore

extension StatusStore {
    package func pruneIdempotencyKeys() async throws {
        let limit = IdempotencyKey.expiry(at: database.clock.now())
        let expired = "SELECT account_id, key FROM idempotency WHERE created_at <= ? LIMIT 500"
        // Usually no keys have expired, and a transaction would cost an fsync.
        while try await database.read({ try Row.fetchOne($0, sql: expired, arguments: [limit]) != nil }) {
            try await database.commits.write { db in
                try db.execute(
                    sql: "DELETE FROM idempotency WHERE (account_id, key) IN (\(expired))", arguments: [limit])
            }
        }
    }

    /// The status that was previously posted with the same key, if any.
    static func existing(_ key: String, of account: Int64, at now: Int64, in db: Database) throws -> Status? {
        let statement = try db.cachedStatement(
            sql: "SELECT status_id FROM idempotency WHERE account_id = ? AND key = ? AND created_at > ?")
        guard
            let id = try Int64.fetchOne(statement, arguments: [account, key, IdempotencyKey.expiry(at: now)])
        else { return nil }
        return try find(db, id: id, for: account)
    }

    static func storeKey(of status: PreparedStatus, id: Int64, at now: Int64, in db: Database) throws {
        guard let key = status.draft.idempotencyKey else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO idempotency (account_id, key, status_id, created_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (account_id, key) DO UPDATE
                SET status_id = excluded.status_id, created_at = excluded.created_at
                """
        ).execute(arguments: [status.accountID, key, id, now])
    }
}
