import FeedCore

/// Deletes statuses and boosts of a deleted account, some per transaction. Favourites, boosts and replies by others are
/// removed first, because a popular status can have any number of them.
enum AccountStatusDeletion {
    private static let batch = 100
    /// Tables of rows that belong to a status, and their keys.
    private static let dependents = [
        ("favourite", "account_id, status_id"), ("bookmark", "account_id, status_id"),
        ("status_edit", "status_id, number"), ("mention", "account_id, status_id"),
        ("poll_vote", "status_id, account_id, number"),
        ("conversation_status", "account_id, conversation_id, status_id"),
        ("filter_status", "id"),
    ]

    /// - Returns: The number of deleted statuses; `nil` after the last one. The statuses of an unfinished import are left to
    ///   the import.
    @Sendable static func delete(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let rows = try db.fetchAll(
            """
            SELECT e.id, e.boost_of_id, e.in_reply_to_id, e.visibility, e.tags, e.mentions FROM status e
            WHERE e.account_id = \(account) AND \(StatusVisibility.published("e")) ORDER BY e.id LIMIT \(batch)
            """)
        let ids = try rows.map { try $0[0] as Int64 }
        guard !ids.isEmpty else { return nil }
        guard try !removeDependents(of: ids, by: account, at: now, in: db) else { return 0 }
        try forgetReplies(ids, in: db)
        try forgetBoosts(ids, in: db)
        try db.uncountUses(ofOldest: ids, by: account)
        try remove(ids, in: db)
        let wasHidden = try AccountDeletion.wasSuspended(account, in: db)
        for row in rows { try log(row, by: account, wasHidden: wasHidden, at: now, in: db) }
        return ids.count
    }

    /// - Parameter wasHidden: Whether the status was no longer visible, so that nobody is notified of its deletion.
    private static func log(
        _ row: Row, by account: Int64, wasHidden: Bool, at now: Int64, in db: Database
    ) throws {
        let stored = try Visibility(rawValue: row[3]) ?? .direct
        let visibility = wasHidden ? nil : stored
        if let original = try row[1] as Int64? {
            return try db.log(
                .unboosted, subject: row[0], account: account, related: original, visibility: visibility, at: now)
        }
        // The rows of the table of mentions have been removed before.
        let mentions = try wasHidden || stored.isPublicOrUnlisted ? [] : StatusRow.mentions(row[5]).map(\.id)
        let tags = try stored == .public ? StatusRow.tags(row[4]) : []
        try db.log(
            .statusDeleted, subject: row[0], account: account, related: row[2], tags: tags, visibility: visibility,
            mentions: mentions, at: now)
    }

    /// Deletes some rows that depend on the statuses.
    /// - Returns: Whether more rows may be left.
    private static func removeDependents(
        of ids: [Int64], by account: Int64, at now: Int64, in db: Database
    ) throws -> Bool {
        let notifications: SQL = "status_id IN (\(ids: ids))"
        guard
            try db.deleteNotifications(where: notifications, limit: AccountDeletionStep.maximumRows)
                < AccountDeletionStep.maximumRows
        else { return true }
        for (table, key) in dependents {
            guard try !removeRows(of: table, key: key, ids, in: db) else { return true }
        }
        let shortened = try db.removeFromConversations(ids, limit: AccountDeletionStep.maximumPairs)
        guard shortened < AccountDeletionStep.maximumPairs else { return true }
        return try removeBoosts(of: ids, at: now, in: db) || detachReplies(to: ids, by: account, at: now, in: db)
    }

    private static func removeRows(of table: String, key: String, _ ids: [Int64], in db: Database) throws -> Bool {
        try db.execute(
            """
            DELETE FROM \(sql: table) WHERE (\(sql: key)) IN (
                SELECT \(sql: key) FROM \(sql: table) WHERE status_id IN (\(ids: ids)) LIMIT \(AccountDeletionStep.maximumRows))
            """)
        return try db.changesCount == AccountDeletionStep.maximumRows
    }

    /// Deletes boosts by anyone, which their boosters' counts of statuses include.
    private static func removeBoosts(of ids: [Int64], at now: Int64, in db: Database) throws -> Bool {
        let rows = try db.fetchAll(
            """
            SELECT id, account_id, boost_of_id, visibility FROM status WHERE boost_of_id IN (\(ids: ids))
            ORDER BY id LIMIT \(batch)
            """)
        guard !rows.isEmpty else { return false }
        let boosts = try rows.map { try $0[0] as Int64 }
        try db.execute(
            """
            UPDATE account SET statuses_count =
                CASE WHEN account.statuses_count > gone.number THEN account.statuses_count - gone.number ELSE 0 END
            FROM (SELECT account_id AS booster, count(*) AS number FROM status WHERE id IN (\(ids: boosts))
                GROUP BY account_id) gone
            WHERE account.id = gone.booster
            """)
        try db.execute("DELETE FROM status WHERE id IN (\(ids: boosts))")
        for row in rows {
            try db.log(
                .unboosted, subject: row[0], account: row[1], related: row[2], visibility: Visibility(rawValue: row[3]),
                at: now)
        }
        return rows.count == batch
    }

    /// Replies by others remain, as replies to a status that has been deleted.
    private static func detachReplies(
        to ids: [Int64], by account: Int64, at now: Int64, in db: Database
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE status SET in_reply_to_id = NULL WHERE id IN (
                SELECT id FROM status WHERE in_reply_to_id IN (\(ids: ids)) LIMIT \(AccountDeletionStep.maximumRows))
            """)
        guard try db.changesCount == AccountDeletionStep.maximumRows else { return false }
        // Otherwise, the deletion of the status follows in this transaction, and its entry of the change log is enough.
        try db.log(.accountRemoved, subject: account, account: account, at: now)
        return true
    }

    /// Subtracts the statuses from the counts of replies.
    private static func forgetReplies(_ ids: [Int64], in db: Database) throws {
        try db.execute(
            """
            UPDATE status SET replies_count =
                CASE WHEN status.replies_count > gone.number THEN status.replies_count - gone.number ELSE 0 END
            FROM (SELECT in_reply_to_id AS parent, count(*) AS number FROM status
                WHERE id IN (\(ids: ids)) AND in_reply_to_id IS NOT NULL AND visibility <= 1
                GROUP BY in_reply_to_id) gone
            WHERE status.id = gone.parent
            """)
    }

    /// Subtracts the account's boosts from the counts of boosts. An account boosts a status only once.
    private static func forgetBoosts(_ ids: [Int64], in db: Database) throws {
        try db.execute(
            """
            UPDATE status SET reblogs_count = CASE WHEN reblogs_count > 0 THEN reblogs_count - 1 ELSE 0 END
            WHERE id IN (SELECT b.boost_of_id FROM status b WHERE b.id IN (\(ids: ids)) AND b.boost_of_id IS NOT NULL)
            """)
    }

    private static func remove(_ ids: [Int64], in db: Database) throws {
        let conversations = try db.fetchAll(
            """
            SELECT DISTINCT coalesce(conversation_id, id) FROM status
            WHERE id IN (\(ids: ids)) AND boost_of_id IS NULL
            """, as: Int64.self)
        try StatusIndex.remove(ids, in: db)
        try db.execute("DELETE FROM status WHERE id IN (\(ids: ids))")
        for conversation in conversations { try db.endConversation(conversation) }
    }
}
