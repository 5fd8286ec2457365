import FeedCore
import GRDB

extension StatusStore {
    /// The same status boosted by several followed accounts stands in a home timeline once within this time (milliseconds).
    private static let boostMemory: Int64 = 86_400_000
    /// Who follows so many meets somebody he follows every few statuses …
    private static let many = 60
    /// … so looking through this many of everybody's finds a page.
    private static let scanLimit = 300

    /// The home timeline without a table of its own: for those who follow many by looking through what everybody wrote
    /// last, for the others, or when that gave too little, by looking where each followed account stands.
    static func home(
        of account: Int64, page: Page, now: Int64, many: Int = Self.many, in db: Database
    ) throws -> [Status] {
        let following = try db.cachedStatement(sql: "SELECT following_count FROM account WHERE id = ?")
        if try Int.fetchOne(following, arguments: [account]) ?? 0 >= many {
            let found = try read(scanned(for: account, page: page), page: page, for: account, now: now, in: db)
            if found.count == page.limit { return found }
        }
        return try read(sought(for: account, page: page), page: page, for: account, now: now, in: db)
    }

    private static func scanned(for account: Int64, page: Page) -> SQL {
        let (floor, ceiling) = (page.floor ?? -1, page.maxID ?? .max)
        let (order, end): (SQL, SQL) = page.readsUpwards ? ("ASC", "e.id <=") : ("DESC", "e.id >=")
        let last: SQL = """
            ifnull((SELECT id FROM status WHERE id > \(floor) AND id < \(ceiling) ORDER BY id \(order)
                LIMIT 1 OFFSET \(scanLimit)), \(page.readsUpwards ? Int64.max : -1))
            """
        let follows: SQL = "EXISTS (SELECT 1 FROM follow f WHERE f.follower_id = \(account) AND f.followee_id = "
        let published: SQL = " AND f.import_id NOT IN (SELECT id FROM staged_import))"
        let shown = shown(to: account) {
            "(\($0) = \(account) OR \($0) NOT IN hidden AND \(follows)\($0)\(published))"
        }
        return """
            SELECT e.id, e.id FROM status e WHERE e.id > \(floor) AND e.id < \(ceiling) AND \(end) \(last)
            AND e.account_id NOT IN hidden
            AND (e.account_id = \(account) OR \(follows)e.account_id\(published)) AND \(shown)
            """
    }

    /// A status can only be on the page when its author's nearest status is among the `limit` nearest of all followed
    /// accounts, and the farthest of those bounds the page; so one index seek per followed account picks the authors, and
    /// at most `limit` rows of each are looked at. The cost grows with who is followed, not with what they wrote.
    private static func sought(for account: Int64, page: Page) -> SQL {
        let upwards = page.readsUpwards
        let (order, farthest): (SQL, SQL) = upwards ? ("ASC", "max") : ("DESC", "min")
        let (floor, ceiling) = (page.floor ?? -1, page.maxID ?? .max)
        let within: SQL =
            upwards ? "e.id > \(floor) AND e.id <= chosen.edge" : "e.id >= chosen.edge AND e.id < \(ceiling)"
        let edge: SQL = upwards ? "e.id > \(floor) AND e.id <= bound.id" : "e.id >= bound.id AND e.id < \(ceiling)"
        let shown = shown(to: account) { "\($0) IN (SELECT id FROM author)" }
        return """
            SELECT id, id FROM (WITH author(id) AS MATERIALIZED (
                SELECT f.followee_id FROM follow f WHERE f.follower_id = \(account) AND f.followee_id NOT IN hidden
                AND f.import_id NOT IN (SELECT id FROM staged_import)
                UNION ALL SELECT \(account)
            ), near AS MATERIALIZED (
                SELECT author.id AS author_id,
                    (SELECT e.id FROM status e WHERE e.account_id = author.id AND e.id > \(floor) AND e.id < \(ceiling) AND \(shown)
                        ORDER BY e.id \(order) LIMIT 1) AS status_id
                FROM author
            ), nearest AS MATERIALIZED (
                SELECT author_id, status_id FROM near WHERE status_id IS NOT NULL
                ORDER BY status_id \(order) LIMIT \(page.limit)
            ), bound AS MATERIALIZED (
                SELECT CASE count(*) WHEN \(page.limit) THEN \(farthest)(status_id) ELSE \(upwards ? ceiling - 1 : floor + 1) END AS id
                FROM nearest
            ), chosen AS MATERIALIZED (
                SELECT author_id,
                    ifnull((SELECT e.id FROM status e WHERE e.account_id = author_id AND \(edge)
                        AND \(shown) ORDER BY e.id \(order) LIMIT 1 OFFSET \(page.limit - 1)), bound.id) AS edge
                FROM nearest CROSS JOIN bound
            )
            SELECT e.id FROM chosen CROSS JOIN status e ON e.account_id = chosen.author_id AND \(within) WHERE \(shown))
            """
    }

    /// What of those who are followed is shown: replies to those who are followed too, boosts once.
    private static func shown(to account: Int64, isFollowed: (SQL) -> SQL) -> SQL {
        """
        e.import_id NOT IN (SELECT id FROM staged_import)
        AND (e.account_id = \(account) OR (
            (e.visibility <= 2 OR EXISTS (SELECT 1 FROM mention m WHERE m.account_id = \(account) AND m.status_id = e.id))
            AND (e.in_reply_to_account_id IS NULL OR \(isFollowed("e.in_reply_to_account_id")))))
        AND (e.boost_of_id IS NULL OR (
            (e.account_id = \(account) OR \(boosts(of: "e", areShownTo: account)))
            AND \(StatusVisibility.original(viewer: account, "o.account_id NOT IN hidden"))
            AND NOT EXISTS (SELECT 1 FROM status x WHERE x.boost_of_id = e.boost_of_id AND x.id < e.id
                AND x.id > e.id - \(boostMemory << 16) AND x.account_id NOT IN hidden
                AND (x.account_id = \(account) OR \(boosts(of: "x", areShownTo: account))))))
        """
    }

    private static func boosts(of status: String, areShownTo account: Int64) -> SQL {
        """
        EXISTS (SELECT 1 FROM follow g WHERE g.follower_id = \(account) AND g.followee_id = \(sql: status).account_id
            AND g.shows_reblogs AND g.import_id NOT IN (SELECT id FROM staged_import))
        """
    }
}
