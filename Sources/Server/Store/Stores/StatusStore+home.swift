import FeedCore
import GRDB

extension StatusStore {
    /// The home timeline without a table of its own. A status can only be on the page when its author's nearest status is
    /// among the `limit` nearest of all followed accounts, and the farthest of those bounds the page; so one index seek per
    /// followed account picks the authors, and at most `limit` rows of each are looked at. The cost grows with who is
    /// followed, not with what they wrote.
    static func home(of account: Int64, page: Page, in db: Database) throws -> [Status] {
        let upwards = page.readsUpwards
        let (order, farthest): (SQL, SQL) = upwards ? ("ASC", "max") : ("DESC", "min")
        let (floor, ceiling) = (page.floor ?? -1, page.maxID ?? .max)
        let within: SQL =
            upwards ? "s.id > \(floor) AND s.id <= chosen.edge" : "s.id >= chosen.edge AND s.id < \(ceiling)"
        let edge: SQL = upwards ? "s.id > \(floor) AND s.id <= bound.id" : "s.id >= bound.id AND s.id < \(ceiling)"
        let shown: SQL = """
            s.import_id NOT IN (SELECT id FROM staged_import)
            AND (s.visibility <= 2 OR s.account_id = \(account)
                OR EXISTS (SELECT 1 FROM mention m WHERE m.account_id = \(account) AND m.status_id = s.id))
            """
        let query: SQL = """
            WITH author AS (
                SELECT f.followee_id AS id FROM follow f JOIN account a ON a.id = f.followee_id
                WHERE f.follower_id = \(account) AND a.suspended_at IS NULL
                AND f.import_id NOT IN (SELECT id FROM staged_import)
                UNION SELECT \(account)
            ), near AS MATERIALIZED (
                SELECT author.id AS author_id,
                    (SELECT s.id FROM status s WHERE s.account_id = author.id AND s.id > \(floor) AND s.id < \(ceiling) AND \(shown)
                        ORDER BY s.id \(order) LIMIT 1) AS status_id
                FROM author
            ), nearest AS MATERIALIZED (
                SELECT author_id, status_id FROM near WHERE status_id IS NOT NULL
                ORDER BY status_id \(order) LIMIT \(page.limit)
            ), bound AS MATERIALIZED (
                SELECT CASE count(*) WHEN \(page.limit) THEN \(farthest)(status_id) ELSE \(upwards ? ceiling - 1 : floor + 1) END AS id
                FROM nearest
            ), chosen AS MATERIALIZED (
                SELECT author_id,
                    ifnull((SELECT s.id FROM status s WHERE s.account_id = author_id AND \(edge)
                        AND \(shown) ORDER BY s.id \(order) LIMIT 1 OFFSET \(page.limit - 1)), bound.id) AS edge
                FROM nearest CROSS JOIN bound
            ), candidate AS MATERIALIZED (
                SELECT s.id FROM chosen CROSS JOIN status s ON s.account_id = chosen.author_id AND \(within)
                WHERE \(shown) ORDER BY s.id \(order) LIMIT \(page.limit)
            )
            SELECT \(sql: StatusRow.columns) FROM candidate CROSS JOIN status s ON s.id = candidate.id
            JOIN account a ON a.id = s.account_id ORDER BY s.id \(order)
            """
        let rows = try SQLRequest<Row>(literal: query, cached: true).fetchAll(db).map { StatusRow.decode($0) }
        return upwards ? rows.reversed() : rows
    }
}
