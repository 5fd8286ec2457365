import FeedCore

extension TimelineScan {
    /// The period in milliseconds within which a status that several followed accounts boost is shown only once.
    private static let boostDeduplicationPeriod: Int64 = 86_400_000
    /// The maximum number of preceding boosts of the same status that are checked.
    private static let boostScanLimit = 100

    /// The home timeline as a merge of the newest statuses of each followed account. It has no table of its own.
    static func home(of account: Int64, _ page: Pagination, maximumRows: Int, now: Int64) -> TimelineScan {
        let authors: SQL = "\(followed(by: account)) UNION ALL SELECT \(account)"
        return TimelineScan(
            source: .union([Merge(maximumRows: min(maximumRows, Merge.maximumRows), authors: authors).query(page)]),
            condition: belongsOnHomeTimeline(account, now: now), maximumRows: Merge.maximumRows)
    }

    /// The home timeline from the newest statuses of all accounts, for viewers who follow so many accounts that most
    /// pages fill quickly.
    static func homeFromNewest(for account: Int64, _ page: Pagination, now: Int64) -> TimelineScan {
        TimelineScan(source: .statuses("1 = 1"), condition: belongsOnHomeTimeline(account, now: now), maximumRows: 300)
    }

    /// A query of the ids of followed accounts.
    static func followed(by account: Int64) -> SQL {
        "SELECT f.followee_id FROM follow f WHERE f.follower_id = \(account) AND \(StatusVisibility.published("f"))"
    }

    /// Whether a status belongs on the home timeline: visible, by the account or a followed one, and for a boost, shown
    /// once. As in Mastodon, replies to accounts that are not followed are omitted; the public timeline contains them.
    private static func belongsOnHomeTimeline(_ account: Int64, now: Int64) -> SQL {
        """
        \(StatusVisibility.rule("e", author: "ea", viewer: account))
        AND (e.account_id = \(account) OR (\(isFollowed("e.account_id", by: account, now))
            AND (e.in_reply_to_account_id IS NULL OR e.in_reply_to_account_id = \(account)
                OR \(isFollowed("e.in_reply_to_account_id", by: account, now)))))
        AND (e.boost_of_id IS NULL OR (\(isBoostShown("e", to: account))
            AND \(StatusVisibility.original(
                viewer: account, StatusVisibility.accepts("o.account_id", viewer: account, now: now)))
            AND \(isFirstBoost(for: account, now: now))))
        """
    }

    private static func isFollowed(_ author: SQL, by account: Int64, _ now: Int64) -> SQL {
        "\(StatusVisibility.follows(account, author)) AND \(StatusVisibility.accepts(author, viewer: account, now: now))"
    }

    private static func isBoostShown(_ status: String, to account: Int64) -> SQL {
        let booster = SQL(sql: status + ".account_id")
        return "(\(booster) = \(account) OR \(StatusVisibility.follows(account, booster, "f.shows_reblogs = 1")))"
    }

    private static func isFirstBoost(for account: Int64, now: Int64) -> SQL {
        """
        NOT EXISTS (SELECT 1 FROM (
                SELECT y.account_id FROM status y WHERE y.boost_of_id = e.boost_of_id AND y.id < e.id
                AND y.id > e.id - \(boostDeduplicationPeriod << 16) ORDER BY y.id DESC LIMIT \(boostScanLimit)) x
            CROSS JOIN account xa ON xa.id = x.account_id
            WHERE xa.suspended_at IS NULL AND \(isBoostShown("x", to: account))
            AND \(StatusVisibility.accepts("x.account_id", viewer: account, now: now)))
        """
    }
}

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
