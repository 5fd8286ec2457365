import FeedCore

extension MediaStore {
    /// Reserves files for a scheduled status, in the transaction that stores it. They no longer expire.
    /// - Throws: ``FeedError`` `.invalid` if one of the files cannot be attached.
    static func reserve(
        _ draft: StatusDraft, for scheduled: Int64, by account: Int64, at now: Int64, in db: Database
    ) throws {
        guard !draft.mediaIDs.isEmpty else { return }
        let statement = try db.cachedStatement(sql: "UPDATE media SET scheduled_id = ?, expires_at = ? WHERE id = ?")
        try take(draft, to: nil, by: account, at: now, in: db) { id in
            try statement.execute(arguments: [scheduled, Int64.max, id])
        }
    }

    /// Releases the files of a scheduled status that is being canceled.
    static func release(from scheduled: Int64, of account: Int64, at now: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE media SET scheduled_id = NULL, expires_at = ? WHERE scheduled_id = ? AND account_id = ?"
        ).execute(arguments: [now + MediaLimits.unattachedLifetime, scheduled, account])
    }
}
