/// A count that is stored beside the rows that it counts.
struct StoredCount: Sendable {
    /// The table and column that hold the count; the table's key is `id`.
    let table, column: String
    /// The table whose rows are counted, and its column that refers to the holder.
    let counted, reference: String
    /// Which rows count. The rows of an unfinished import do not.
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
struct RepeatedColumns: Sendable {
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
