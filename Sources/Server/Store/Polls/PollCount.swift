/// A count that is stored with a poll, beside the votes that it counts.
struct PollCount: Sendable {
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
