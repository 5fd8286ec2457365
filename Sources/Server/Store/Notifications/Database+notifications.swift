import FeedCore

extension Database {
    /// Notifies `recipient` of an action of `sender` if ``NotificationRule`` allows it. Must be called in the
    /// transaction of the action.
    func notify(
        _ recipient: Int64, of kind: Notification.Kind, by sender: Int64, status: Int64? = nil, report: Int64? = nil,
        at now: Int64
    ) throws {
        // Avoids queries for the frequent actions of users on their own statuses.
        guard recipient != sender || NotificationRule.mayNotifySender(of: kind) else { return }
        let relation = try kind.isForModerators ? .init() : relation(of: recipient, to: sender, status: status)
        guard NotificationRule.isNotified(recipient, of: kind, by: sender, relation, now: now) else { return }
        let id = try nextID(now: now)
        let key = NotificationGroupKey.stored(for: kind, status: status, id: id)
        let group = try key.map { try notificationGroup($0, of: recipient) ?? id }
        try execute(
            """
            INSERT INTO notification (id, account_id, kind, from_id, status_id, report_id, group_id)
            VALUES (\(id), \(recipient), \(kind.rawValue), \(sender), \(status), \(report), \(group))
            ON CONFLICT (account_id, from_id, kind, coalesce(status_id, report_id, 0))
            DO \(sql: kind.isRepeated ? "UPDATE SET id = excluded.id" : "NOTHING")
            """)
        guard try changesCount > 0 else { return }
        if let key, let group { try addMember(id, to: group, key, of: recipient, kind, status: status) }
        try log(.notified, subject: id, account: recipient, at: now)
    }

    /// Notifies the administrators.
    func notifyModerators(
        of kind: Notification.Kind, by sender: Int64, report: Int64? = nil, at now: Int64
    ) throws {
        let query: SQL = """
            SELECT id FROM account WHERE role = 'admin' AND suspended_at IS NULL
            ORDER BY id LIMIT \(NotificationRule.maximumRecipients)
            """
        for moderator in try self.fetchAll(query, as: Int64.self) {
            try notify(moderator, of: kind, by: sender, report: report, at: now)
        }
    }

    /// Deletes the notification of an action that was undone.
    func retract(_ kind: Notification.Kind, by sender: Int64, status: Int64? = nil, from recipient: Int64) throws {
        let condition: SQL = """
            account_id = \(recipient) AND from_id = \(sender) AND kind = \(kind.rawValue)
            AND coalesce(status_id, report_id, 0) = \(status ?? 0)
            """
        try deleteNotifications(where: condition, limit: 1)
    }

    private func relation(of recipient: Int64, to sender: Int64, status: Int64?) throws -> NotificationRule.Relation {
        let query: SQL = """
            SELECT hides_notifications, expires_at FROM mute WHERE account_id = \(recipient)
            AND target_id = \(sender)
            """
        let mute = try fetchOne(query).map {
            try Mute(hidesNotifications: $0[0], expiresAt: $0[1])
        }
        return NotificationRule.Relation(
            isBlocked: try isBlocked(recipient, sender), mute: mute,
            mutesConversation: try status.map { try mutesConversation(recipient, of: $0) } ?? false)
    }
}

extension Notification.Kind {
    /// Whether the same event can happen again to the same status, which moves the notification to the top.
    fileprivate var isRepeated: Bool { self == .update || self == .poll }
}

/// Keeps groups of notifications correct: their counts and their newest notifications. Notifications are added and
/// deleted only through these functions and, together with their group, with their status or recipient.
extension Database {
    /// The group with a key.
    func notificationGroup(_ key: String, of account: Int64) throws -> Int64? {
        let query: SQL = "SELECT id FROM notification_group WHERE account_id = \(account) AND group_key = \(key)"
        return try fetchOne(query, as: Int64.self)
    }

    /// Counts a new notification, which creates the group if it is the first one.
    private func addMember(
        _ id: Int64, to group: Int64, _ key: String, of account: Int64, _ kind: Notification.Kind, status: Int64?
    ) throws {
        try execute(
            """
            INSERT INTO notification_group (id, account_id, group_key, kind, status_id, newest_id, count)
            VALUES (\(group), \(account), \(key), \(kind.rawValue), \(status), \(id), 1) ON CONFLICT (id)
            DO UPDATE SET newest_id = excluded.newest_id, count = notification_group.count + 1
            """)
    }

    /// Deletes notifications.
    /// - Parameter condition: A condition on the columns of `notification`.
    /// - Returns: The number of deleted notifications; less than `limit` if none are left.
    @discardableResult
    func deleteNotifications(where condition: SQL, limit: Int) throws -> Int {
        let rows = try fetchAll("SELECT id, group_id FROM notification WHERE \(condition) LIMIT \(limit)")
        guard !rows.isEmpty else { return 0 }
        try execute("DELETE FROM notification WHERE id IN (\(ids: rows.map { try $0[0] }))")
        let groups = try rows.compactMap { try $0[1] as Int64? }
        for (group, count) in Dictionary(groups.map { ($0, 1) }, uniquingKeysWith: +) {
            try shrink(group, by: count)
        }
        return rows.count
    }

    private func shrink(_ group: Int64, by count: Int) throws {
        try execute(
            """
            UPDATE notification_group SET count = count - \(count),
            newest_id = coalesce((SELECT max(n.id) FROM notification n WHERE n.group_id = \(group)), 0)
            WHERE id = \(group)
            """)
        try execute("DELETE FROM notification_group WHERE id = \(group) AND count <= 0")
    }
}
