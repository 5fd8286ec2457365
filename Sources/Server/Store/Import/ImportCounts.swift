import FeedCore

/// The changes that an import makes to the counts of accounts and of existing statuses. They are collected while rows
/// are staged and written at the end, so that they do not become visible early.
struct ImportCounts: Sendable {
    private struct Delta {
        var statuses = 0
        var followers = 0
        var following = 0
        var firstStatusAt: Int64?
        var lastStatusAt: Int64?
    }

    private var accounts: [Int64: Delta] = [:]
    private var replies: [Int64: Int] = [:]

    mutating func addFollow(from follower: Int64, to followee: Int64) {
        accounts[follower, default: Delta()].following += 1
        accounts[followee, default: Delta()].followers += 1
    }

    mutating func addStatus(by account: Int64, at time: Int64, _ visibility: Visibility) {
        var entry = accounts[account] ?? Delta()
        entry.firstStatusAt = min(entry.firstStatusAt ?? time, time)
        if visibility.affectsStatusCount {
            entry.statuses += 1
            entry.lastStatusAt = max(entry.lastStatusAt ?? time, time)
        }
        accounts[account] = entry
    }

    mutating func addReply(to status: Int64) { replies[status, default: 0] += 1 }

    func writeReplies(in db: Database) throws {
        for (id, count) in replies {
            try db.execute("UPDATE status SET replies_count = replies_count + \(count) WHERE id = \(id)")
        }
    }

    /// - Parameter isNew: Whether the import has created the account, which is then at least as old as its first status.
    func write(for account: Int64, isNew: Bool, in db: Database) throws {
        guard let entry = accounts[account] else { return }
        let firstStatusAt = isNew ? entry.firstStatusAt : nil
        try db.execute(
            """
            UPDATE account SET statuses_count = statuses_count + \(entry.statuses),
            followers_count = followers_count + \(entry.followers),
            following_count = following_count + \(entry.following),
            created_at = CASE WHEN \(firstStatusAt) < created_at THEN \(firstStatusAt) ELSE created_at END,
            last_status_at = CASE WHEN last_status_at >= \(entry.lastStatusAt)
                OR CAST(\(entry.lastStatusAt) AS BIGINT) IS NULL THEN last_status_at ELSE \(entry.lastStatusAt) END
            WHERE id = \(account)
            """)
    }
}
