import FeedCore

extension TimelineScan {
    /// The home timeline as a merge of the newest statuses of each followed account and hashtag. It has no table of its
    /// own.
    static func home(_ home: HomeContent, _ page: Pagination, maximumRows: Int, now: Int64) -> TimelineScan {
        let limit = home.hasTags ? TagMerge.maximumRows : Merge.maximumRows
        let rows = min(maximumRows, limit)
        var parts = [Merge(maximumRows: rows, authors: authors(of: home)).query(page)]
        if home.hasTags { parts.append(TagMerge(maximumRows: rows, account: home.account).query(page)) }
        return TimelineScan(source: .union(parts), condition: belongs(to: home, now: now), maximumRows: limit)
    }

    /// The home timeline from the newest statuses of all accounts, for viewers who follow so much that most pages fill
    /// quickly.
    static func homeFromNewest(_ home: HomeContent, _ page: Pagination, now: Int64) -> TimelineScan {
        TimelineScan(source: .statuses("1 = 1"), condition: belongs(to: home, now: now), maximumRows: 300)
    }

    /// A query of the ids of followed accounts.
    static func followed(by account: Int64) -> SQL {
        "SELECT f.followee_id FROM follow f WHERE f.follower_id = \(account) AND \(StatusVisibility.published("f"))"
    }

    private static func authors(of home: HomeContent) -> SQL {
        var followed = followed(by: home.account)
        if home.hasExclusiveLists { followed += " AND NOT \(isExcluded("f.followee_id", from: home.account))" }
        return "\(followed) UNION ALL SELECT \(home.account)"
    }

    private static func belongs(to home: HomeContent, now: Int64) -> SQL {
        belongsOnHomeTimeline(
            of: home.account, hasTags: home.hasTags, hasExclusiveLists: home.hasExclusiveLists, now: now)
    }

    /// Whether a status belongs on the home timeline: visible, by the account or a followed one, or with a followed
    /// hashtag, and for a boost, shown once. As in Mastodon, replies to accounts that are not followed are omitted, and
    /// statuses in a language that the follow does not include; the public timeline contains them.
    static func belongsOnHomeTimeline(
        of term: any IDTerm, hasTags: Bool, hasExclusiveLists: Bool, now: Int64
    ) -> SQL {
        let account = term.term
        var wanted: SQL = """
            e.account_id = \(account) OR (\(isFollowed("e.account_id", by: account, now, where: FollowLanguages.condition))
                AND (e.in_reply_to_account_id IS NULL OR e.in_reply_to_account_id = \(account)
                    OR \(isFollowed("e.in_reply_to_account_id", by: account, now))))
            """
        if hasTags { wanted += " OR (\(hasFollowedTag(account, now)))" }
        var shown: SQL = "(\(wanted))"
        var boosters: SQL = "1 = 1"
        if hasExclusiveLists {
            shown += " AND \(isIncluded("e.account_id", at: account))"
            boosters = isIncluded("x.account_id", at: account)
        }
        return """
            \(StatusVisibility.rule("e", author: "ea", viewer: account)) AND \(shown)
            AND (e.boost_of_id IS NULL OR \(isBoostWanted(by: account, among: boosters, now)))
            """
    }

    /// Whether the boost `e` is shown to an account, and is the first one of its status.
    /// - Parameter boosters: The condition that the booster `x` belongs to the timeline.
    static func isBoostWanted(by account: any IDTerm, among boosters: SQL, _ now: Int64) -> SQL {
        """
        (\(isBoostShown("e", to: account))
            AND \(StatusVisibility.original(
                viewer: account, StatusVisibility.accepts("o.account_id", viewer: account, now: now)))
            AND \(isFirstBoost(for: account, among: boosters, now: now)))
        """
    }

    /// - Parameter condition: A condition on the follow `f`.
    static func isFollowed(_ author: SQL, by account: any IDTerm, _ now: Int64, where condition: SQL = "1 = 1") -> SQL {
        "\(StatusVisibility.follows(account, author, condition)) AND \(StatusVisibility.accepts(author, viewer: account, now: now))"
    }
}

extension TimelineScan {
    /// The period in milliseconds within which a status that several followed accounts boost is shown only once.
    private static let boostDeduplicationPeriod: Int64 = 86_400_000
    /// The maximum number of preceding boosts of the same status that are checked.
    private static let boostScanLimit = 100

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
            AND \(StatusVisibility.accepts("x.account_id", viewer: account, now: now)) AND \(boosters))
        """
    }
}
