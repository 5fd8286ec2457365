import FeedCore
import GRDB

extension Database {
    /// Tells `recipient` what `sender` did, unless one of the two does not want that; always inside the transaction
    /// that does it.
    func notify(
        _ recipient: Int64, of kind: Notification.Kind, by sender: Int64, status: Int64? = nil, at now: Int64
    ) throws {
        guard recipient != sender, try wants(recipient, from: sender, at: now) else { return }
        if let status, try mutesConversation(recipient, of: status) { return }
        let id = try nextID(now: now)
        let statement = try cachedStatement(
            sql: """
                INSERT OR \(kind == .update ? "REPLACE" : "IGNORE") INTO notification
                (id, account_id, kind, from_id, status_id) VALUES (?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [id, recipient, kind.rawValue, sender, status])
        if changesCount > 0 { try log(.notified, subject: id, account: recipient, at: now) }
    }

    /// Takes back what was told, since it was undone.
    func retract(_ kind: Notification.Kind, by sender: Int64, status: Int64? = nil, from recipient: Int64) throws {
        let statement = try cachedStatement(
            sql: "DELETE FROM notification WHERE account_id = ? AND from_id = ? AND kind = ? AND status_id IS ?")
        try statement.execute(arguments: [recipient, sender, kind.rawValue, status])
    }

    private func wants(_ recipient: Int64, from sender: Int64, at now: Int64) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM block WHERE account_id = :to AND target_id = :from)
                AND NOT EXISTS (SELECT 1 FROM block WHERE account_id = :from AND target_id = :to)
                AND NOT EXISTS (SELECT 1 FROM mute WHERE account_id = :to AND target_id = :from
                    AND hides_notifications AND (expires_at IS NULL OR expires_at > :now))
                """)
        return try Bool.fetchOne(statement, arguments: ["to": recipient, "from": sender, "now": now]) ?? false
    }
}
