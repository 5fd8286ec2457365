/// Rows that stand for several others and name the newest of them.
extension ValueRule {
    /// In the order in which they are corrected: a group without notifications has no newest one.
    static let notificationGroups = [
        ValueRule(
            subject: "empty groups of notifications",
            wrong: """
                SELECT g.id FROM notification_group g
                WHERE NOT EXISTS (SELECT 1 FROM notification n WHERE n.group_id = g.id) ORDER BY g.id LIMIT \(limit)
                """,
            correction: """
                DELETE FROM notification_group WHERE id = ?1
                AND NOT EXISTS (SELECT 1 FROM notification n WHERE n.group_id = ?1)
                """),
        ValueRule(
            subject: "wrong newest_id of notification_group",
            wrong: """
                SELECT g.id FROM notification_group g JOIN (
                    SELECT group_id, max(id) AS newest FROM notification WHERE group_id IS NOT NULL GROUP BY group_id
                ) AS actual ON actual.group_id = g.id
                WHERE g.newest_id <> actual.newest ORDER BY g.id LIMIT \(limit)
                """,
            correction: """
                UPDATE notification_group SET newest_id =
                    coalesce((SELECT max(n.id) FROM notification n WHERE n.group_id = ?1), newest_id)
                WHERE id = ?1
                """),
    ]

    /// The rows of an unfinished import and of an unfinished removal are not compared. The ids are those of statuses,
    /// because conversations have a key of two columns.
    static let conversations = [
        ValueRule(
            subject: "statuses whose conversation is missing",
            wrong: """
                SELECT DISTINCT c.status_id FROM conversation_status c JOIN status s ON s.id = c.status_id
                WHERE \(published) AND c.account_id NOT IN (SELECT account_id FROM account_removal)
                AND NOT EXISTS (SELECT 1 FROM conversation k
                    WHERE k.account_id = c.account_id AND k.conversation_id = c.conversation_id)
                ORDER BY c.status_id LIMIT \(limit)
                """,
            // What was there before counts as read.
            correction: """
                INSERT INTO conversation (account_id, conversation_id, id, last_status_id)
                SELECT c.account_id, c.conversation_id, min(c.status_id), max(c.status_id)
                FROM conversation_status m
                JOIN conversation_status c ON c.account_id = m.account_id AND c.conversation_id = m.conversation_id
                JOIN status s ON s.id = c.status_id
                WHERE m.status_id = ?1 AND \(published) GROUP BY c.account_id, c.conversation_id
                ON CONFLICT (account_id, conversation_id) DO NOTHING
                """),
        ValueRule(
            subject: "wrong last_status_id of conversation",
            wrong: """
                SELECT DISTINCT k.last_status_id FROM conversation k JOIN status l ON l.id = k.last_status_id
                JOIN (
                    SELECT c.account_id, c.conversation_id, max(c.status_id) AS newest
                    FROM conversation_status c JOIN status s ON s.id = c.status_id
                    WHERE \(published) GROUP BY c.account_id, c.conversation_id
                ) AS actual ON actual.account_id = k.account_id AND actual.conversation_id = k.conversation_id
                WHERE k.last_status_id <> actual.newest AND l.\(importIsPublished)
                AND l.account_id NOT IN (SELECT account_id FROM account_removal)
                AND k.account_id NOT IN (SELECT account_id FROM account_removal)
                ORDER BY k.last_status_id LIMIT \(limit)
                """,
            correction: """
                UPDATE conversation SET last_status_id = coalesce((
                    SELECT max(c.status_id) FROM conversation_status c JOIN status s ON s.id = c.status_id
                    WHERE c.account_id = conversation.account_id
                    AND c.conversation_id = conversation.conversation_id AND \(published)), last_status_id)
                WHERE last_status_id = ?1
                """),
    ]

    private static let importIsPublished = "import_id NOT IN (SELECT id FROM staged_import)"
    private static let published = "s.\(importIsPublished)"
}
