import FeedCore

extension TimelineScan {
    /// Whether the status `e` is public and has a hashtag that an account follows. As in hashtag timelines, silenced
    /// authors and replies to hidden accounts are left out.
    static func hasFollowedTag(_ term: any IDTerm, _ now: Int64) -> SQL {
        let account = term.term
        return """
            e.visibility = 0 AND e.boost_of_id IS NULL AND \(StatusVisibility.wanted(viewer: account, now: now))
            AND EXISTS (SELECT 1 FROM status_tag t CROSS JOIN tag_follow g ON g.account_id = \(account) AND g.tag = t.tag
                WHERE t.status_id = e.id)
            """
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
