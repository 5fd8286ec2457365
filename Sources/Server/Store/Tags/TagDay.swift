import FeedCore

/// The key of a row of `tag_day`.
struct TagDay: Hashable, Sendable {
    /// The key of the hashtag.
    var tag: String
    /// Days since 1970, UTC.
    var day: Int64
}

extension Database {
    /// Counts the public statuses with a hashtag on one day again.
    func recount(_ key: TagDay) throws {
        try cachedStatement(sql: "DELETE FROM tag_day WHERE tag = ? AND day = ?").execute(arguments: [key.tag, key.day])
        let statement = try cachedStatement(
            sql: """
                INSERT INTO tag_day (tag, day, uses, accounts)
                SELECT t.tag, CAST(?2 AS BIGINT), count(*), count(DISTINCT s.account_id)
                FROM status_tag t JOIN status s ON s.id = t.status_id
                WHERE t.tag = ?1 AND t.status_id >= ?3 AND t.status_id < ?4 AND t.visibility = 0
                AND \(StatusVisibility.published("s").text) GROUP BY t.tag
                """)
        try statement.execute(arguments: [
            key.tag, key.day, TagUse.firstID(of: key.day), TagUse.firstID(of: key.day + 1),
        ])
    }
}
