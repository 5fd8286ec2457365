import FeedCore
import GRDB

extension StatusStore {
    /// The home timeline without a table of its own. A status can only be on the page when its author's nearest status is
    /// among the `limit` nearest of all followed accounts; so one index seek per followed account picks the authors, and
    /// at most `limit` rows of each are looked at. The cost grows with who is followed, not with what they wrote.
    static func home(of account: Int64, page: Page, in db: Database) throws -> [Status] {
        let upwards = page.readsUpwards
        let (nearest, order): (SQL, SQL) = upwards ? ("min", "ASC") : ("max", "DESC")
        let beyond: SQL = upwards ? "<=" : ">="
        let shown: SQL = """
            i.id < \(page.maxID ?? .max) AND i.id > \(page.floor ?? -1)
            AND i.import_id NOT IN (SELECT id FROM staged_import)
            AND (i.visibility <= 2 OR i.account_id = \(account)
                OR EXISTS (SELECT 1 FROM mention m WHERE m.account_id = \(account) AND m.status_id = i.id))
            """
        let query: SQL = """
            WITH author AS (
                SELECT followee_id AS id FROM follow
                WHERE follower_id = \(account) AND import_id NOT IN (SELECT id FROM staged_import)
                UNION SELECT \(account)
            ), near AS (
                SELECT author.id AS author_id,
                    (SELECT \(nearest)(i.id) FROM status i WHERE i.account_id = author.id AND \(shown)) AS status_id
                FROM author
            ), chosen AS MATERIALIZED (
                SELECT author_id FROM near WHERE status_id IS NOT NULL ORDER BY status_id \(order) LIMIT \(page.limit)
            ), candidate AS MATERIALIZED (
                SELECT s.id FROM chosen CROSS JOIN status s ON s.account_id = chosen.author_id
                WHERE s.id < \(page.maxID ?? .max) AND s.id > \(page.floor ?? -1)
                AND s.id \(beyond) ifnull((
                    SELECT i.id FROM status i WHERE i.account_id = chosen.author_id AND \(shown)
                    ORDER BY i.id \(order) LIMIT 1 OFFSET \(page.limit)), \(upwards ? Int64.max : -1))
            )
            SELECT \(sql: StatusRow.columns) FROM candidate CROSS JOIN status s ON s.id = candidate.id
            JOIN account a ON a.id = s.account_id
            WHERE \(visible(to: account)) ORDER BY s.id \(order) LIMIT \(page.limit)
            """
        let rows = try SQLRequest<Row>(literal: query, cached: true).fetchAll(db).map { StatusRow.decode($0) }
        return upwards ? rows.reversed() : rows
    }
}
