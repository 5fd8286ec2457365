/// A rule about values that can be computed again.
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
        StoredCount.all.map { count in
            DerivedValueCheck(
                subject: "wrong \(count.column) of \(count.table)", wrong: count.wrong(limit: limit),
                correction: count.correction)
        }
        + RepeatedColumns.all.map { repeated in
            DerivedValueCheck(
                subject: "wrong columns of \(repeated.table), which repeat columns of status",
                wrong: repeated.wrong(limit: limit), correction: repeated.correction)
        }
        + PollCount.all.map { count in
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

    /// The rows of an unfinished import and of an unfinished removal are not compared. The ids are those of statuses,
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

/// A count that is stored beside the rows that it counts.
private struct StoredCount: Sendable {
    /// The table and column that hold the count; the table's key is `id`.
    let table, column: String
    /// The table whose rows are counted, and its column that refers to the holder.
    let counted, reference: String
    /// The rows that count. Those of an unfinished import do not.
    let condition: String

    private static let published = "import_id NOT IN (SELECT id FROM staged_import)"

    static let all = [
        StoredCount(
            table: "account", column: "statuses_count", counted: "status", reference: "account_id",
            condition: "visibility < 3 AND \(published)"),
        StoredCount(
            table: "account", column: "followers_count", counted: "follow", reference: "followee_id",
            condition: published),
        StoredCount(
            table: "account", column: "following_count", counted: "follow", reference: "follower_id",
            condition: published),
        StoredCount(
            table: "status", column: "replies_count", counted: "status", reference: "in_reply_to_id",
            condition: "in_reply_to_id IS NOT NULL AND visibility <= 1 AND \(published)"),
        StoredCount(
            table: "status", column: "reblogs_count", counted: "status", reference: "boost_of_id",
            condition: "boost_of_id IS NOT NULL AND \(published)"),
        StoredCount(
            table: "status", column: "favourites_count", counted: "favourite", reference: "status_id",
            condition: "1 = 1"),
        StoredCount(
            table: "notification_group", column: "count", counted: "notification", reference: "group_id",
            condition: "group_id IS NOT NULL"),
    ]

    /// The counts of an account are corrected at the end of its removal.
    private var unfinished: String {
        table == "account" ? " AND holder.id NOT IN (SELECT account_id FROM account_removal)" : ""
    }

    /// No import contains notifications.
    private var published: String {
        table == "notification_group" ? "" : " AND holder.\(Self.published)"
    }

    /// A query of the ids whose count is wrong. The holder of an unfinished import is not compared.
    func wrong(limit: Int) -> String {
        """
        SELECT holder.id FROM \(table) AS holder LEFT JOIN (
            SELECT \(reference) AS id, count(*) AS number FROM \(counted) WHERE \(condition) GROUP BY \(reference)
        ) AS actual ON actual.id = holder.id
        WHERE holder.\(column) <> coalesce(actual.number, 0)\(unfinished)\(published)
        ORDER BY holder.id LIMIT \(limit)
        """
    }

    /// A statement that counts again for one id.
    var correction: String {
        """
        UPDATE \(table) SET \(column) =
            (SELECT count(*) FROM \(counted) WHERE \(reference) = ?1 AND \(condition))
        WHERE id = ?1
        """
    }
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

/// A count that is stored with a poll, beside the votes that it counts.
private struct PollCount: Sendable {
    let table, column: String
    /// A query of the polls and counts that differ from the votes, as `status_id`.
    private let differing: String
    /// The recount for a row of ``table``.
    private let recount: String

    static let all = [
        PollCount(
            table: "poll_option", column: "votes_count",
            differing: """
                SELECT holder.status_id FROM poll_option AS holder LEFT JOIN (
                    SELECT status_id, number, count(*) AS votes FROM poll_vote GROUP BY status_id, number
                ) AS actual ON actual.status_id = holder.status_id AND actual.number = holder.number
                WHERE holder.votes_count <> coalesce(actual.votes, 0)
                """,
            recount: """
                SELECT count(*) FROM poll_vote v
                WHERE v.status_id = poll_option.status_id AND v.number = poll_option.number
                """),
        PollCount(
            table: "poll", column: "voters_count",
            differing: """
                SELECT holder.status_id FROM poll AS holder LEFT JOIN (
                    SELECT status_id, count(DISTINCT account_id) AS voters FROM poll_vote GROUP BY status_id
                ) AS actual ON actual.status_id = holder.status_id
                WHERE holder.voters_count <> coalesce(actual.voters, 0)
                """,
            recount: "SELECT count(DISTINCT v.account_id) FROM poll_vote v WHERE v.status_id = poll.status_id"),
    ]

    /// A query of the ids of polls whose count is wrong.
    func wrong(limit: Int) -> String {
        "SELECT DISTINCT wrong.status_id FROM (\(differing)) AS wrong ORDER BY wrong.status_id LIMIT \(limit)"
    }

    /// A statement that counts again for one poll.
    var correction: String { "UPDATE \(table) SET \(column) = (\(recount)) WHERE status_id = ?1" }
}
