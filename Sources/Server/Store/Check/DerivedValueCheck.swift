/// A check of values that can be computed again: counts, copies, and the newest of a group.
struct DerivedValueCheck: Sendable {
    /// The largest number of wrong rows that are found, and corrected.
    static let limit = 100_000

    /// The name of the rows, for messages.
    var subject: String
    /// A query of the ids of wrong rows.
    var wrong: String
    /// A statement that corrects the row with the id `?1`.
    var correction: String
}

extension DerivedValueCheck {
    static let all =
        CountCheck.all.map { count in
            DerivedValueCheck(
                subject: "wrong \(count.column) of \(count.table)", wrong: count.wrong(limit: limit),
                correction: count.correction)
        }
        + RepeatedColumns.all.map { repeated in
            DerivedValueCheck(
                subject: "wrong columns of \(repeated.table), which repeat columns of status",
                wrong: repeated.wrong(limit: limit), correction: repeated.correction)
        }
        + PollCountCheck.all.map { count in
            DerivedValueCheck(
                subject: "wrong \(count.column) of \(count.table)", wrong: count.wrong(limit: limit),
                correction: count.correction)
        }
        + notificationGroups + conversations
}

/// Rows that stand for several others and name the newest of them.
extension DerivedValueCheck {
    /// In the order in which they are corrected: a group without notifications has no newest one.
    static let notificationGroups = [
        DerivedValueCheck(
            subject: "empty groups of notifications",
            wrong: """
                SELECT g.id FROM notification_group g
                WHERE NOT EXISTS (SELECT 1 FROM notification n WHERE n.group_id = g.id) ORDER BY g.id LIMIT \(limit)
                """,
            correction: """
                DELETE FROM notification_group WHERE id = ?1
                AND NOT EXISTS (SELECT 1 FROM notification n WHERE n.group_id = ?1)
                """),
        DerivedValueCheck(
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

    /// The rows of an unfinished import and of an unfinished deletion are not compared. The ids are those of statuses,
    /// because conversations have a key of two columns.
    static let conversations = [
        DerivedValueCheck(
            subject: "statuses whose conversation is missing",
            wrong: """
                SELECT DISTINCT c.status_id FROM conversation_status c JOIN status s ON s.id = c.status_id
                WHERE \(published) AND c.account_id NOT IN (SELECT account_id FROM account_removal)
                AND NOT EXISTS (SELECT 1 FROM conversation k
                    WHERE k.account_id = c.account_id AND k.conversation_id = c.conversation_id)
                ORDER BY c.status_id LIMIT \(limit)
                """,
            // Existing conversations count as read.
            correction: """
                INSERT INTO conversation (account_id, conversation_id, id, last_status_id)
                SELECT c.account_id, c.conversation_id, min(c.status_id), max(c.status_id)
                FROM conversation_status m
                JOIN conversation_status c ON c.account_id = m.account_id AND c.conversation_id = m.conversation_id
                JOIN status s ON s.id = c.status_id
                WHERE m.status_id = ?1 AND \(published) GROUP BY c.account_id, c.conversation_id
                ON CONFLICT (account_id, conversation_id) DO NOTHING
                """),
        DerivedValueCheck(
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

/// Columns of a status that are repeated in another table.
private struct RepeatedColumns: Sendable {
    let table: String
    /// Each column and the column of `status` that it repeats.
    let columns: [(copy: String, original: String)]

    static let all = [
        RepeatedColumns(table: "mention", columns: [("author_id", "account_id"), ("visibility", "visibility")]),
        RepeatedColumns(table: "status_tag", columns: [("account_id", "account_id"), ("visibility", "visibility")]),
    ]

    /// A query of the ids of statuses whose copies differ.
    func wrong(limit: Int) -> String {
        let differs = columns.map { "copy.\($0.copy) <> status.\($0.original)" }.joined(separator: " OR ")
        return """
            SELECT DISTINCT status.id FROM \(table) AS copy JOIN status ON status.id = copy.status_id
            WHERE \(differs) ORDER BY status.id LIMIT \(limit)
            """
    }

    /// A statement that copies the columns of one status again.
    var correction: String {
        let assignments = columns.map { "\($0.copy) = (SELECT \($0.original) FROM status WHERE id = ?1)" }
        return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE status_id = ?1"
    }
}
