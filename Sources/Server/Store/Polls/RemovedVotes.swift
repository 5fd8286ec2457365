import FeedCore

/// Removes the votes of a removed account, some per transaction.
enum RemovedVotes {
    /// - Returns: The number of deleted votes; `nil` after the last one.
    @Sendable static func delete(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let polls = try Int64.fetchAll(
            db,
            """
            SELECT DISTINCT status_id FROM poll_vote WHERE account_id = \(account)
            ORDER BY status_id LIMIT \(RemovalStep.maximumPairs)
            """)
        guard !polls.isEmpty else { return nil }
        try subtract(account, from: polls, in: db)
        try db.execute("DELETE FROM poll_vote WHERE account_id = \(account) AND status_id IN (\(ids: polls))")
        let count = db.changesCount
        for poll in polls { try db.log(.pollVoted, subject: poll, account: account, at: now) }
        return count
    }

    private static func subtract(_ account: Int64, from polls: [Int64], in db: Database) throws {
        try db.execute(
            """
            UPDATE poll_option SET votes_count = CASE WHEN votes_count > 0 THEN votes_count - 1 ELSE 0 END
            WHERE status_id IN (\(ids: polls)) AND EXISTS (SELECT 1 FROM poll_vote v
                WHERE v.account_id = \(account) AND v.status_id = poll_option.status_id
                AND v.number = poll_option.number)
            """)
        try db.execute(
            """
            UPDATE poll SET voters_count = CASE WHEN voters_count > 0 THEN voters_count - 1 ELSE 0 END
            WHERE status_id IN (\(ids: polls))
            """)
    }
}
