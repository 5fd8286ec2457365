import FeedCore

/// The deletion of what refers to a status: favourites, boosts, replies, … A popular status can have any number of
/// them, so they are deleted before the status, some per transaction; one transaction for all would keep other writers
/// waiting.
///
/// Until the last transaction, the status remains with correct counts, so the deletion can stop anywhere and be repeated.
struct StatusDeletion {
    /// The maximum number of rows per transaction.
    static let maximumRows = 40

    let status: Int64
    let now: Int64
    let db: Database

    /// Deletes some rows.
    /// - Returns: Whether rows may be left; otherwise, the status can be deleted in the same transaction.
    func deleteSome() throws -> Bool {
        var left = Self.maximumRows
        left -= try db.deleteNotifications(where: "status_id = \(status)", limit: left)
        let afterNotifications = left
        for step in [favourites, bookmarks, votes, filters, replies] where left > 0 { left -= try step(left) }
        let changesStatus = left < afterNotifications
        let boosts = try deleteBoosts(left)
        let isPopular = left == boosts.count
        try log(boosts, changesStatus: changesStatus, isPopular: isPopular)
        return isPopular
    }

    /// Apps remove the boosts together with the status, if that is deleted in the same transaction.
    private func log(_ boosts: [Boost], changesStatus: Bool, isPopular: Bool) throws {
        guard isPopular else {
            if !boosts.isEmpty { try db.log(.boostsRemoved, subject: status, at: now) }
            return
        }
        for boost in boosts {
            try db.log(
                .unboosted, subject: boost.id, account: boost.account, related: status, visibility: boost.visibility,
                at: now)
        }
        // Stands for all of them: it affects what shows the status, or a reply to it.
        if changesStatus { try db.log(.unfavourited, subject: status, at: now) }
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

    private struct Boost {
        let id: Int64
        let account: Int64
        let visibility: Visibility?
    }

    /// An account boosts a status only once.
    private func deleteBoosts(_ limit: Int) throws -> [Boost] {
        guard limit > 0 else { return [] }
        let boosts = try db.fetchAll(
            "SELECT id, account_id, visibility FROM status WHERE boost_of_id = \(status) ORDER BY id LIMIT \(limit)"
        ).map { try Boost(id: $0[0], account: $0[1], visibility: Visibility(rawValue: $0[2])) }
        guard !boosts.isEmpty else { return [] }
        try db.execute(
            """
            UPDATE account SET statuses_count = CASE WHEN statuses_count > 1 THEN statuses_count - 1 ELSE 0 END
            WHERE id IN (\(ids: boosts.map(\.account)))
            """)
        try db.execute("DELETE FROM status WHERE id IN (\(ids: boosts.map(\.id)))")
        try subtract(boosts.count, from: "reblogs_count")
        return boosts
    }

    /// The votes of some accounts, each of which may have chosen several options.
    private func votes(_ limit: Int) throws -> Int {
        let voters = try ids("DISTINCT account_id FROM poll_vote WHERE status_id = \(status)", limit)
        guard !voters.isEmpty else { return 0 }
        try db.execute(
            """
            UPDATE poll_option SET votes_count = votes_count - gone.votes
            FROM (SELECT number AS chosen, count(*) AS votes FROM poll_vote
                WHERE status_id = \(status) AND account_id IN (\(ids: voters)) GROUP BY number) gone
            WHERE poll_option.status_id = \(status) AND poll_option.number = gone.chosen
                AND poll_option.votes_count >= gone.votes
            """)
        try db.execute(
            """
            UPDATE poll SET voters_count = voters_count - \(Int64(voters.count))
            WHERE status_id = \(status) AND voters_count >= \(Int64(voters.count))
            """)
        try db.execute("DELETE FROM poll_vote WHERE status_id = \(status) AND account_id IN (\(ids: voters))")
        return voters.count
    }

    private func filters(_ limit: Int) throws -> Int {
        let entries = try ids("id FROM filter_status WHERE status_id = \(status)", limit)
        guard !entries.isEmpty else { return 0 }
        try db.execute("DELETE FROM filter_status WHERE id IN (\(ids: entries))")
        return entries.count
    }

    /// Replies remain, as replies to a status that has been deleted.
    private func replies(_ limit: Int) throws -> Int {
        let replies = try db.fetchAll(
            "SELECT id, visibility FROM status WHERE in_reply_to_id = \(status) LIMIT \(limit)"
        ).map { try (id: $0[0] as Int64, visibility: Visibility(rawValue: $0[1])) }
        guard !replies.isEmpty else { return 0 }
        try db.execute("UPDATE status SET in_reply_to_id = NULL WHERE id IN (\(ids: replies.map(\.id)))")
        try subtract(replies.count { $0.visibility?.isPublicOrUnlisted ?? false }, from: "replies_count")
        return replies.count
    }

    private func ids(_ query: SQL, _ limit: Int) throws -> [Int64] {
        try db.fetchAll("SELECT \(query) LIMIT \(limit)", as: Int64.self)
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
