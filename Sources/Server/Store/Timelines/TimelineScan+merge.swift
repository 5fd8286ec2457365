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
            let farthest: SQL = page.isAscending ? "max" : "min"
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
    /// The nearest public statuses with hashtags that an account follows, by index seeks only. It is a ``Merge`` whose
    /// rows are not distinct: a status may have several of the hashtags.
    struct TagMerge {
        /// The number of rows for which the result is exact. Fewer than in a ``Merge``, because a status costs as much
        /// as it has followed hashtags.
        static let maximumRows = 30

        /// The number of rows that this query reads.
        var maximumRows = TagMerge.maximumRows
        let account: Int64

        /// If the nearest statuses of the hashtags include `maximumRows` different ones, the last of these bounds the
        /// rest. At most `maximumRows` rows within that bound are read per hashtag.
        func query(_ page: Pagination) -> SQL {
            let tagged: SQL = "SELECT t.status_id FROM status_tag t WHERE t.visibility = 0"
            return """
                SELECT DISTINCT id, id FROM (WITH near(tag, status_id) AS MATERIALIZED (
                    SELECT g.tag, (\(tagged) AND t.tag = g.tag AND \(page.bounds(on: "t.status_id"))
                        ORDER BY t.status_id \(page.order) LIMIT 1)
                    FROM tag_follow g WHERE g.account_id = \(account)
                ), bound(id) AS MATERIALIZED (
                    SELECT coalesce((SELECT n.status_id FROM
                        (SELECT DISTINCT status_id FROM near WHERE status_id IS NOT NULL) n
                        ORDER BY n.status_id \(page.order) LIMIT 1 OFFSET \(maximumRows - 1)), \(page.beyond))
                ), chosen(tag, edge) AS MATERIALIZED (
                    SELECT near.tag, coalesce((\(tagged) AND t.tag = near.tag
                        AND \(page.within("bound.id", on: "t.status_id"))
                        ORDER BY t.status_id \(page.order) LIMIT 1 OFFSET \(maximumRows - 1)), bound.id)
                    FROM near CROSS JOIN bound ON \(page.within("bound.id", on: "near.status_id"))
                )
                SELECT t.status_id AS id FROM chosen CROSS JOIN status_tag t
                ON t.tag = chosen.tag AND t.visibility = 0 AND \(page.within("chosen.edge", on: "t.status_id"))) merged
                """
        }
    }
}
