import FeedCore

extension TimelineScan {
    /// The nearest statuses of many authors, by index seeks only: the cost grows with the number of authors, not with
    /// the number of their statuses.
    struct Merge {
        /// The number of rows for which the result is exact; a scan reads at most as many per query.
        static let maximumRows = 60

        /// The number of rows that this query reads.
        var maximumRows = Merge.maximumRows
        /// A query of account ids.
        let authors: SQL
        /// A condition on `e` that matches an index that begins with the account.
        var condition: SQL = "1 = 1"

        /// A status can be among the nearest `maximumRows` only if its author's nearest status is; the farthest of
        /// those bounds the rest. At most `maximumRows` rows within that bound are read per author.
        func query(_ page: Pagination) -> SQL {
            let farthest: SQL = page.readsUpwards ? "max" : "min"
            return """
                SELECT id, id FROM (WITH author(id) AS MATERIALIZED (\(authors)), near(author_id, status_id) AS MATERIALIZED (
                    SELECT author.id, (SELECT e.id FROM status e WHERE e.account_id = author.id AND \(condition)
                        AND \(page.bounds(on: "e.id")) ORDER BY e.id \(page.order) LIMIT 1)
                    FROM author
                ), nearest(author_id, status_id) AS MATERIALIZED (
                    SELECT author_id, status_id FROM near WHERE status_id IS NOT NULL
                    ORDER BY status_id \(page.order) LIMIT \(maximumRows)
                ), bound(id) AS MATERIALIZED (
                    SELECT CASE count(*) WHEN \(maximumRows) THEN \(farthest)(status_id) ELSE \(page.beyond) END FROM nearest
                ), chosen(author_id, edge) AS MATERIALIZED (
                    SELECT author_id, coalesce((SELECT e.id FROM status e WHERE e.account_id = nearest.author_id
                        AND \(condition) AND \(page.within("bound.id"))
                        ORDER BY e.id \(page.order) LIMIT 1 OFFSET \(maximumRows - 1)), bound.id)
                    FROM nearest CROSS JOIN bound ON 1 = 1
                )
                SELECT e.id FROM chosen CROSS JOIN status e
                ON e.account_id = chosen.author_id AND \(condition) AND \(page.within("chosen.edge"))) merged
                """
        }
    }
}
