import FeedCore

extension Database {
    /// Notifies `recipient` of an action of `sender` if ``NotificationRule`` allows it. Must be called in the
    /// transaction of the action.
    func notify(
        _ recipient: Int64, of kind: Notification.Kind, by sender: Int64, status: Int64? = nil, at now: Int64
    ) throws {
        // Avoids queries for the frequent actions of users on their own statuses.
        guard recipient != sender || NotificationRule.mayNotifySender(of: kind) else { return }
        let relation = try relation(of: recipient, to: sender, status: status)
        guard NotificationRule.isNotified(recipient, of: kind, by: sender, relation, now: now) else { return }
        let id = try nextID(now: now)
        let statement = try cachedStatement(
            sql: """
                INSERT INTO notification (id, account_id, kind, from_id, status_id) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (account_id, from_id, kind, coalesce(status_id, 0))
                DO \(kind.isRepeated ? "UPDATE SET id = excluded.id" : "NOTHING")
                """)
        try statement.execute(arguments: [id, recipient, kind.rawValue, sender, status])
        if changesCount > 0 { try log(.notified, subject: id, account: recipient, at: now) }
    }

    /// Deletes the notification of an action that was undone.
    func retract(_ kind: Notification.Kind, by sender: Int64, status: Int64? = nil, from recipient: Int64) throws {
        let statement = try cachedStatement(
            sql:
                "DELETE FROM notification WHERE account_id = ? AND from_id = ? AND kind = ? AND status_id IS NOT DISTINCT FROM ?"
        )
        try statement.execute(arguments: [recipient, sender, kind.rawValue, status])
    }

    private func relation(of recipient: Int64, to sender: Int64, status: Int64?) throws -> NotificationRule.Relation {
        let statement = try cachedStatement(
            sql: "SELECT hides_notifications, expires_at FROM mute WHERE account_id = ? AND target_id = ?")
        let mute = try Row.fetchOne(statement, arguments: [recipient, sender]).map {
            Mute(hidesNotifications: $0[0], expiresAt: $0[1])
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
