import FeedCore

/// The queries of a home timeline. It has no table of its own.
enum HomeTimelineQuery {
    /// The home timeline as a merge of the newest statuses of each followed account and hashtag.
    static func merged(_ home: HomeContent, _ page: Pagination, maximumRows: Int, now: Int64) -> TimelineQuery {
        let limit = home.hasTags ? FollowedTagMerge.maximumRows : AuthorMerge.maximumRows
        let rows = min(maximumRows, limit)
        var parts = [AuthorMerge(maximumRows: rows, authors: authors(of: home)).query(page)]
        if home.hasTags { parts.append(FollowedTagMerge(maximumRows: rows, account: home.account).query(page)) }
        return TimelineQuery(source: .union(parts), condition: condition(of: home, now: now), maximumRows: limit)
    }

    /// The home timeline from the newest statuses of all accounts, for viewers who follow so much that most pages fill
    /// quickly.
    static func fromNewest(_ home: HomeContent, _ page: Pagination, now: Int64) -> TimelineQuery {
        TimelineQuery(source: .statuses("1 = 1"), condition: condition(of: home, now: now), maximumRows: 300)
    }

    /// A query of (page_id, status_id) of the newest of some statuses and boosts that belong on a home timeline.
    static func entries(
        among ids: [Int64], of home: HomeContent, hasBoosts: Bool, limit: Int, now: Int64
    ) -> SQL {
        """
        SELECT e.id, e.id FROM status e CROSS JOIN account ea ON ea.id = e.account_id
        WHERE e.id IN (\(ids: ids)) AND \(condition(of: home, hasBoosts: hasBoosts, now: now))
        ORDER BY e.id DESC LIMIT \(limit)
        """
    }

    /// A query of the ids of followed accounts.
    static func followed(by account: any IDTerm) -> SQL {
        "SELECT f.followee_id FROM follow f WHERE f.follower_id = \(account.term) AND \(StatusVisibility.published("f"))"
    }

    private static func authors(of home: HomeContent) -> SQL {
        var followed = followed(by: home.account)
        if home.hasExclusiveLists { followed += " AND NOT \(isExcluded("f.followee_id", from: home.account))" }
        return "\(followed) UNION ALL SELECT \(home.account)"
    }

    private static func condition(of home: HomeContent, hasBoosts: Bool = true, now: Int64) -> SQL {
        condition(
            of: home.account, hasTags: home.hasTags, hasExclusiveLists: home.hasExclusiveLists,
            hidesAccounts: home.hidesAccounts, hasBoosts: hasBoosts, now: now)
    }

    /// Whether a status belongs on the home timeline: visible, by the account or a followed one, or with a followed
    /// hashtag, and for a boost, shown once, and not shortly after the status itself. As in Mastodon, replies to accounts
    /// that are not followed are omitted, and statuses in a language that the follow does not include; the public timeline
    /// contains them.
    /// - Parameters:
    ///   - hidesAccounts: Whether the account may block or mute others, or be blocked.
    ///   - hasBoosts: Whether `e` may be a boost.
    static func condition(
        of term: any IDTerm, hasTags: Bool, hasExclusiveLists: Bool, hidesAccounts: Bool = true, hasBoosts: Bool = true,
        now: Int64
    ) -> SQL {
        let account = term.term
        func isShown(_ author: SQL, where condition: SQL = "1 = 1") -> SQL {
            hidesAccounts
                ? isFollowed(author, by: account, now, where: condition)
                : StatusVisibility.follows(account, author, condition)
        }
        let followed: SQL = """
            e.account_id = \(account) OR (\(isShown("e.account_id", where: FollowLanguages.condition))
                AND (e.in_reply_to_account_id IS NULL OR e.in_reply_to_account_id = \(account)
                    OR \(isShown("e.in_reply_to_account_id"))))
            """
        let wanted: SQL = hasTags ? "\(followed) OR (\(hasFollowedTag(account, now)))" : followed
        var visible = StatusVisibility.rule("e", author: "ea", viewer: account)
        var boosters: SQL = "1 = 1"
        if hasExclusiveLists {
            visible += " AND \(isIncluded("e.account_id", at: account))"
            boosters = isIncluded("x.account_id", at: account)
        }
        guard hasBoosts else { return "\(visible) AND (\(wanted))" }
        return """
            \(visible) AND (\(wanted))
            AND (e.boost_of_id IS NULL OR (\(isBoostWanted(by: account, among: boosters, now))
                AND NOT \(isRepetition(of: "\(visible) AND (\(followed))", for: account))))
            """
    }

    /// Whether an account is a member of an exclusive list of another one, whose home timeline leaves it out.
    private static func isExcluded(_ author: SQL, from account: any IDTerm) -> SQL {
        """
        EXISTS (SELECT 1 FROM list_member m CROSS JOIN list l ON l.id = m.list_id
            WHERE m.owner_id = \(account.term) AND m.account_id = \(author) AND l.exclusive = 1)
        """
    }

    /// Whether the home timeline of an account includes an author: always its own statuses.
    private static func isIncluded(_ author: SQL, at account: any IDTerm) -> SQL {
        "(\(author) = \(account.term) OR NOT \(isExcluded(author, from: account)))"
    }

    /// Whether the boost `e` is shown to an account, and is the first one of its status.
    /// - Parameter boosters: The condition that the booster `x` belongs to the timeline.
    static func isBoostWanted(by account: any IDTerm, among boosters: SQL, _ now: Int64) -> SQL {
        """
        (\(isBoostShown("e", to: account))
            AND \(StatusVisibility.original(
                viewer: account, StatusVisibility.blockAndMuteCondition("o.account_id", viewer: account, now: now)))
            AND \(isFirstBoost(for: account, among: boosters, now: now)))
        """
    }

    /// - Parameter condition: A condition on the follow `f`.
    static func isFollowed(_ author: SQL, by account: any IDTerm, _ now: Int64, where condition: SQL = "1 = 1") -> SQL {
        "\(StatusVisibility.follows(account, author, condition)) AND \(StatusVisibility.blockAndMuteCondition(author, viewer: account, now: now))"
    }
}

extension HomeTimelineQuery {
    /// The period in milliseconds within which a status that several followed accounts boost is shown only once.
    private static let boostDeduplicationPeriod: Int64 = 86_400_000
    /// The maximum number of preceding boosts of the same status that are checked.
    private static let boostScanLimit = 100

    /// The number of entries after a status within which a boost of it is not shown, as in Mastodon.
    private static let repetitionDistance = 40
    /// The maximum numbers of followed accounts and of their statuses that are counted.
    private static let (repetitionAccounts, repetitionRows) = (1000, 400)

    /// Whether the boost `e` repeats a status that belongs on the home timeline itself: within few entries, or, if the
    /// boost is the account's own, at all.
    /// - Parameter post: The condition that a status `e` by `ea` belongs there.
    private static func isRepetition(of post: SQL, for account: SQL) -> SQL {
        """
        (EXISTS (SELECT 1 FROM status o WHERE o.id = e.boost_of_id AND EXISTS (
                SELECT 1 FROM status e CROSS JOIN account ea ON ea.id = e.account_id WHERE e.id = o.id AND \(post)))
            AND (e.account_id = \(account) OR \(distance(for: account)) < \(repetitionDistance)))
        """
    }

    /// The number of entries between a status and its boost `e`, up to ``repetitionDistance``. It is not exact, because
    /// a further condition for each would cost too much: no reply to others counts, and every boost does, as do statuses
    /// of an unfinished import.
    private static func distance(for account: SQL) -> SQL {
        let followed: SQL = "\(followed(by: account)) LIMIT \(repetitionAccounts)"
        return """
            (SELECT count(*) FROM (SELECT r.account_id FROM (
                SELECT w.account_id, w.visibility, w.in_reply_to_account_id
                FROM (SELECT followee_id FROM (\(followed)) followed UNION ALL SELECT \(account)) a
                CROSS JOIN status w ON w.account_id = a.followee_id AND w.id > e.boost_of_id AND w.id < e.id
                LIMIT \(repetitionRows)) r
            WHERE r.visibility <= 2 AND (r.in_reply_to_account_id IS NULL OR r.in_reply_to_account_id = r.account_id
                OR r.in_reply_to_account_id = \(account)) LIMIT \(repetitionDistance)) entries)
            """
    }

    private static func isBoostShown(_ status: String, to account: any IDTerm) -> SQL {
        let booster = SQL(sql: status + ".account_id")
        return "(\(booster) = \(account.term) OR \(StatusVisibility.follows(account, booster, "f.shows_reblogs = 1")))"
    }

    private static func isFirstBoost(for account: any IDTerm, among boosters: SQL, now: Int64) -> SQL {
        """
        NOT EXISTS (SELECT 1 FROM (
                SELECT y.account_id FROM status y WHERE y.boost_of_id = e.boost_of_id AND y.id < e.id
                AND y.id > e.id - \(boostDeduplicationPeriod << 16) ORDER BY y.id DESC LIMIT \(boostScanLimit)) x
            CROSS JOIN account xa ON xa.id = x.account_id
            WHERE xa.suspended_at IS NULL AND \(isBoostShown("x", to: account))
            AND \(StatusVisibility.blockAndMuteCondition("x.account_id", viewer: account, now: now)) AND \(boosters))
        """
    }

    /// Whether the status `e` is public and has a hashtag that an account follows. As in hashtag timelines, silenced
    /// authors and replies to hidden accounts are left out.
    private static func hasFollowedTag(_ term: any IDTerm, _ now: Int64) -> SQL {
        let account = term.term
        return """
            e.visibility = 0 AND e.boost_of_id IS NULL AND \(StatusVisibility.listCondition(viewer: account, now: now))
            AND EXISTS (SELECT 1 FROM status_tag t CROSS JOIN tag_follow g ON g.account_id = \(account) AND g.tag = t.tag
                WHERE t.status_id = e.id)
            """
    }
}

/// The nearest statuses of many authors, by index seeks only: the cost grows with the number of authors, not with
/// the number of their statuses.
struct AuthorMerge {
    /// The number of rows for which the result is exact; a ``TimelineQuery`` reads at most as many.
    static let maximumRows = 60

    /// The number of rows that this query reads.
    var maximumRows = AuthorMerge.maximumRows
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

/// The nearest public statuses with hashtags that an account follows, by index seeks only. It is an ``AuthorMerge``
/// whose rows are not distinct: a status may have several of the hashtags.
struct FollowedTagMerge {
    /// The number of rows for which the result is exact. Fewer than in an ``AuthorMerge``, because a status costs as
    /// much as it has followed hashtags.
    static let maximumRows = 30

    /// The number of rows that this query reads.
    var maximumRows = FollowedTagMerge.maximumRows
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
