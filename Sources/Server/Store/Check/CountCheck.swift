/// A count that is stored beside the rows that it counts.
struct CountCheck: Sendable {
    /// The table and column that hold the count; the table's key is `id`.
    let table, column: String
    /// The table whose rows are counted, and its column that refers to the holder.
    let counted, reference: String
    /// The rows that count. Those of an unfinished import do not.
    let condition: String

    private static let published = "import_id NOT IN (SELECT id FROM staged_import)"

    static let all = [
        CountCheck(
            table: "account", column: "statuses_count", counted: "status", reference: "account_id",
            condition: "visibility < 3 AND \(published)"),
        CountCheck(
            table: "account", column: "followers_count", counted: "follow", reference: "followee_id",
            condition: published),
        CountCheck(
            table: "account", column: "following_count", counted: "follow", reference: "follower_id",
            condition: published),
        CountCheck(
            table: "status", column: "replies_count", counted: "status", reference: "in_reply_to_id",
            condition: "in_reply_to_id IS NOT NULL AND visibility <= 1 AND \(published)"),
        CountCheck(
            table: "status", column: "reblogs_count", counted: "status", reference: "boost_of_id",
            condition: "boost_of_id IS NOT NULL AND \(published)"),
        CountCheck(
            table: "status", column: "favourites_count", counted: "favourite", reference: "status_id",
            condition: "1 = 1"),
        CountCheck(
            table: "notification_group", column: "count", counted: "notification", reference: "group_id",
            condition: "group_id IS NOT NULL"),
    ]

    /// The counts of an account are corrected at the end of its deletion.
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

/// A count that is stored with a poll, beside the votes that it counts.
struct PollCountCheck: Sendable {
    let table, column: String
    /// A query of the polls and counts that differ from the votes, as `status_id`.
    private let differing: String
    /// The recount for a row of ``table``.
    private let recount: String

    static let all = [
        PollCountCheck(
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
        PollCountCheck(
            table: "poll", column: "voters_count",
            differing: """
                SELECT holder.status_id FROM poll AS holder LEFT JOIN (
                    SELECT status_id, count(DISTINCT account_id) AS voters FROM poll_vote GROUP BY status_id
                ) AS actual ON actual.status_id = holder.status_id
                WHERE holder.voters_count <> coalesce(actual.voters, 0)
                """,
            recount:
                "SELECT count(DISTINCT v.account_id) FROM poll_vote v WHERE v.status_id = poll.status_id"),
    ]

    /// A query of the ids of polls whose count is wrong.
    func wrong(limit: Int) -> String {
        "SELECT DISTINCT wrong.status_id FROM (\(differing)) AS wrong ORDER BY wrong.status_id LIMIT \(limit)"
    }

    /// A statement that counts again for one poll.
    var correction: String { "UPDATE \(table) SET \(column) = (\(recount)) WHERE status_id = ?1" }
}
