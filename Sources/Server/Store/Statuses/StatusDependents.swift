import FeedCore

/// What others have attached to a status: favourites, boosts, replies, … A popular status can have any number of them, so
/// they are deleted before the status, some per transaction; one transaction for all would keep other writers waiting.
///
/// Until the last transaction, the status remains with correct counts, so the deletion can stop anywhere and be repeated.
struct StatusDependents {
    /// The maximum number of rows per transaction.
    static let maximumRows = 50

    let status: Int64
    let now: Int64
    let db: Database

    /// Deletes some rows.
    /// - Returns: Whether rows may be left; otherwise, the status can be deleted in the same transaction.
    func deleteSome() throws -> Bool {
        var left = Self.maximumRows
        left -= try db.deleteNotifications(where: "status_id = \(status)", limit: left)
        let steps = [favourites, bookmarks, boosts, votes, replies]
        for step in steps where left > 0 { left -= try step(left) }
        guard left == 0 else { return false }
        // It may have changed any page that shows the status.
        try db.log(.boostsRemoved, subject: status, at: now)
        return true
    }

    private func favourites(_ limit: Int) throws -> Int {
        let accounts = try ids("account_id FROM favourite WHERE status_id = \(status)", limit)
        guard !accounts.isEmpty else { return 0 }
        try db.execute("DELETE FROM favourite WHERE status_id = \(status) AND account_id IN (\(ids: accounts))")
        try subtract(accounts.count, from: "favourites_count")
        return accounts.count
    }

    private func bookmarks(_ limit: Int) throws -> Int {
        let accounts = try ids("account_id FROM bookmark WHERE status_id = \(status)", limit)
        guard !accounts.isEmpty else { return 0 }
        try db.execute("DELETE FROM bookmark WHERE status_id = \(status) AND account_id IN (\(ids: accounts))")
        return accounts.count
    }

    /// An account boosts a status only once.
    private func boosts(_ limit: Int) throws -> Int {
        let boosts = try ids("id FROM status WHERE boost_of_id = \(status)", limit)
        guard !boosts.isEmpty else { return 0 }
        try db.execute(
            """
            UPDATE account SET statuses_count = CASE WHEN statuses_count > 1 THEN statuses_count - 1 ELSE 0 END
            WHERE id IN (SELECT account_id FROM status WHERE id IN (\(ids: boosts)))
            """)
        try db.execute("DELETE FROM status WHERE id IN (\(ids: boosts))")
        try subtract(boosts.count, from: "reblogs_count")
        // For the last rows, after which ``deleteSome()`` adds none.
        if boosts.count < limit { try db.log(.boostsRemoved, subject: status, at: now) }
        return boosts.count
    }

    /// The poll keeps its numbers.
    private func votes(_ limit: Int) throws -> Int {
        try db.execute(
            """
            DELETE FROM poll_vote WHERE (status_id, account_id, number) IN (
                SELECT status_id, account_id, number FROM poll_vote WHERE status_id = \(status) LIMIT \(limit))
            """)
        return db.changesCount
    }

    /// Replies remain, as replies to a status that has been deleted.
    private func replies(_ limit: Int) throws -> Int {
        let found = try db.fetchAll(
            "SELECT id, visibility FROM status WHERE in_reply_to_id = \(status) LIMIT \(limit)"
        ).map { (id: $0[0] as Int64, visibility: Visibility(rawValue: $0[1])) }
        guard !found.isEmpty else { return 0 }
        try db.execute("UPDATE status SET in_reply_to_id = NULL WHERE id IN (\(ids: found.map(\.id)))")
        try subtract(found.count { $0.visibility?.isPublicOrUnlisted ?? false }, from: "replies_count")
        return found.count
    }

    private func ids(_ query: SQL, _ limit: Int) throws -> [Int64] {
        try Int64.fetchAll(db, "SELECT \(query) LIMIT \(limit)")
    }

    private func subtract(_ number: Int, from column: String) throws {
        let (column, number) = (SQL(sql: column), Int64(number))
        try db.execute(
            """
            UPDATE status SET \(column) = CASE WHEN \(column) > \(number) THEN \(column) - \(number) ELSE 0 END
            WHERE id = \(status)
            """)
    }
}
