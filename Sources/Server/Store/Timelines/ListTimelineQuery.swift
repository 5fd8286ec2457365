import FeedCore

/// The queries of list timelines.
enum ListTimelineQuery {
    /// The statuses of the members of a list, merged as those of a home timeline.
    static func merged(_ list: AccountList, _ page: Pagination, maximumRows: Int, now: Int64) -> TimelineQuery {
        let members: SQL = "SELECT m.account_id FROM list_member m WHERE m.list_id = \(list.id)"
        return TimelineQuery(
            source: .union([
                AuthorMerge(maximumRows: min(maximumRows, AuthorMerge.maximumRows), authors: members).query(page)
            ]),
            condition: condition(of: list, now: now), maximumRows: AuthorMerge.maximumRows)
    }

    private static func condition(of list: AccountList, now: Int64) -> SQL {
        let replies = isReplyWanted(list.repliesPolicy, in: list.id, of: list.ownerID, now)
        return condition(list.id, of: list.ownerID, isReplyWanted: replies, now: now)
    }

    /// Whether a status belongs on the timeline of the list `vl`, a row of the table.
    static func condition(now: Int64) -> SQL {
        let (list, owner): (SQL, SQL) = ("vl.id", "vl.account_id")
        let replies = AccountList.RepliesPolicy.allCases.map { policy -> SQL in
            "(vl.replies_policy = \(policy.rawValue) AND \(isReplyWanted(policy, in: list, of: owner, now)))"
        }
        let condition = condition(
            list, of: owner, isReplyWanted: replies.joined(separator: " OR "), now: now)
        return "\(isMember("e.account_id", of: list)) AND \(condition)"
    }

    /// Whether a status by a member belongs on the timeline of a list. As in Mastodon, direct statuses do not, and
    /// neither do those in a language that the owner's follow does not include.
    private static func condition(
        _ list: any IDTerm, of owner: any IDTerm, isReplyWanted: SQL, now: Int64
    ) -> SQL {
        """
        \(StatusVisibility.rule("e", author: "ea", viewer: owner)) AND e.visibility <= 2
        AND \(StatusVisibility.blockAndMuteCondition("e.account_id", viewer: owner, now: now))
        AND NOT \(FollowLanguages.excludes(owner))
        AND (e.in_reply_to_account_id IS NULL OR e.in_reply_to_account_id = e.account_id
            OR e.in_reply_to_account_id = \(owner.term) OR (\(isReplyWanted)))
        AND (e.boost_of_id IS NULL
            OR \(HomeTimelineQuery.isBoostWanted(by: owner, among: isMember("x.account_id", of: list), now)))
        """
    }

    /// Whether a list shows the reply `e` to an account other than its author and the owner.
    private static func isReplyWanted(
        _ policy: AccountList.RepliesPolicy, in list: any IDTerm, of owner: any IDTerm, _ now: Int64
    ) -> SQL {
        let target: SQL = "e.in_reply_to_account_id"
        switch policy {
        case .none: return "1 = 0"
        case .list:
            let accepted = StatusVisibility.blockAndMuteCondition(target, viewer: owner, now: now)
            return "\(isMember(target, of: list)) AND \(accepted)"
        case .followed: return HomeTimelineQuery.isFollowed(target, by: owner, now)
        }
    }

    private static func isMember(_ account: SQL, of list: any IDTerm) -> SQL {
        "EXISTS (SELECT 1 FROM list_member m WHERE m.list_id = \(list.term) AND m.account_id = \(account))"
    }
}
