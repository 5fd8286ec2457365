import FeedCore

/// Keeps groups of notifications correct: their counts and their newest notifications. Notifications are added and
/// deleted only through these functions and, together with their group, with their status or recipient.
extension Database {
    /// The group with a key.
    func notificationGroup(_ key: String, of account: Int64) throws -> Int64? {
        let statement = try cachedStatement(
            sql: "SELECT id FROM notification_group WHERE account_id = ? AND group_key = ?")
        return try Int64.fetchOne(statement, arguments: [account, key])
    }

    /// Counts a new notification, which creates the group if it is the first one.
    func addMember(
        _ id: Int64, to group: Int64, _ key: String, of account: Int64, _ kind: Notification.Kind, status: Int64?
    ) throws {
        let statement = try cachedStatement(
            sql: """
                INSERT INTO notification_group (id, account_id, group_key, kind, status_id, newest_id, count)
                VALUES (?, ?, ?, ?, ?, ?, 1) ON CONFLICT (id)
                DO UPDATE SET newest_id = excluded.newest_id, count = notification_group.count + 1
                """)
        try statement.execute(arguments: [group, account, key, kind.rawValue, status, id])
    }

    /// Deletes notifications.
    /// - Parameter condition: A condition on the columns of `notification`.
    /// - Returns: The number of deleted notifications; less than `limit` if none are left.
    @discardableResult
    func deleteNotifications(where condition: SQL, limit: Int) throws -> Int {
        let rows = try fetchAll("SELECT id, group_id FROM notification WHERE \(condition) LIMIT \(limit)")
        guard !rows.isEmpty else { return 0 }
        try execute("DELETE FROM notification WHERE id IN (\(ids: rows.map { $0[0] }))")
        let groups = rows.compactMap { $0[1] as Int64? }
        for (group, count) in Dictionary(groups.map { ($0, 1) }, uniquingKeysWith: +) {
            try shrink(group, by: count)
        }
        return rows.count
    }

    private func shrink(_ group: Int64, by count: Int) throws {
        try cachedStatement(
            sql: """
                UPDATE notification_group SET count = count - ?1,
                newest_id = coalesce((SELECT max(n.id) FROM notification n WHERE n.group_id = ?2), 0) WHERE id = ?2
                """
        ).execute(arguments: [count, group])
        try cachedStatement(sql: "DELETE FROM notification_group WHERE id = ? AND count <= 0")
            .execute(arguments: [group])
    }
}
