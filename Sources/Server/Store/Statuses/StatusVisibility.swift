import FeedCore

/// Visibility of statuses. ``rule(_:author:viewer:)`` is the only place that decides it; every query that returns
/// statuses contains it. ``isListed(_:viewer:)`` decides what silencing hides.
enum StatusVisibility {
    /// Public and unlisted statuses are visible to everyone, followers-only ones to followers, and all of them to their
    /// author and the accounts they mention. Statuses of suspended accounts, of accounts that block the viewer, and of
    /// an unfinished import are never visible.
    /// - Parameters:
    ///   - status: The alias of the status.
    ///   - author: The alias of its author.
    ///   - viewer: The viewer, or a column with viewers; `nil` for anonymous visitors.
    static func rule(_ status: String, author: String, viewer: (any IDTerm)?) -> SQL {
        let (s, a) = (SQL(sql: status), SQL(sql: author))
        let stands: SQL = "\(a).suspended_at IS NULL AND \(published(status))"
        guard let viewer = viewer?.term else { return "\(s).visibility <= 1 AND \(stands)" }
        let mentions: SQL =
            "EXISTS (SELECT 1 FROM mention m WHERE m.account_id = \(viewer) AND m.status_id = \(s).id)"
        return """
            \(admits(viewer, visibility: "\(s).visibility", author: "\(s).account_id", mentions: mentions))
            AND \(stands)
            """
    }

    /// The part of the rule that depends on the viewer.
    /// - Parameters:
    ///   - author: A column that contains the id of the author.
    ///   - mentions: Whether the status mentions the viewer.
    ///   - following: A condition on the follow `f` that lets the viewer see followers-only statuses.
    private static func admits(
        _ viewer: SQL, visibility: SQL, author: SQL, mentions: SQL, following: SQL = "1 = 1"
    ) -> SQL {
        """
        (\(visibility) <= 1 OR \(author) = \(viewer)
            OR (\(visibility) = 2 AND \(follows(viewer, author, following))) OR \(mentions))
        AND NOT EXISTS (SELECT 1 FROM block k WHERE k.account_id = \(author) AND k.target_id = \(viewer))
        """
    }

    /// Whether the viewer could see what the row `d` of the change log says was deleted: under the current relationships,
    /// except that later followers could not. For a boost, the viewer must also be able to see the boosted status.
    /// For a row without a visibility, only the author could: the account was suspended, so that nobody else could see the
    /// status, or the row was written by an older version.
    static func couldSee(viewer: any IDTerm) -> SQL {
        let account = viewer.term
        let mentions: SQL = "(' ' || d.mentions || ' ') LIKE ('% ' || CAST(\(account) AS TEXT) || ' %')"
        let admitted = admits(
            account, visibility: "coalesce(d.visibility, 3)", author: "d.account", mentions: mentions,
            following: "f.created_at <= d.at")
        return """
            \(admitted) AND (d.kind <> \(Change.Kind.unboosted.rawValue) OR EXISTS (
                SELECT 1 FROM status o CROSS JOIN account oa ON oa.id = o.account_id
                WHERE o.id = d.related AND \(rule("o", author: "oa", viewer: viewer))))
            """
    }

    /// The rule for the status `e` by `ea`; for a boost, also for the boosted status.
    static func entry(viewer: (any IDTerm)?) -> SQL { viewer.map(makeEntry) ?? anonymousEntry }

    private static let anonymousEntry = makeEntry(viewer: nil)

    private static func makeEntry(viewer: (any IDTerm)?) -> SQL {
        """
        \(rule("e", author: "ea", viewer: viewer)) AND (e.boost_of_id IS NULL OR \(original(viewer: viewer)))
        """
    }

    /// Omits statuses from lists if their author fails ``isListed(_:viewer:)``, or if the author, the author of the
    /// boosted status, or the account they reply to fails ``blockAndMuteCondition(_:viewer:now:)``.
    static func listCondition(viewer: (any IDTerm)?, now: Int64) -> SQL {
        guard let viewer else { return isListed("ea", viewer: nil) }
        return """
            \(isListed("ea", viewer: viewer))
            AND \(blockAndMuteCondition("e.account_id", viewer: viewer, now: now))
            AND (e.in_reply_to_account_id IS NULL OR \(blockAndMuteCondition("e.in_reply_to_account_id", viewer: viewer, now: now)))
            AND (e.boost_of_id IS NULL
                OR \(original(viewer: viewer, blockAndMuteCondition("o.account_id", viewer: viewer, now: now))))
            """
    }

    /// Whether an account appears in lists of statuses by many authors, in searches and in notifications. As with
    /// Mastodon's limited accounts, a silenced account does so only for itself and its followers.
    /// - Parameter account: The alias of the account.
    static func isListed(_ account: String, viewer: (any IDTerm)?) -> SQL {
        let a = SQL(sql: account)
        guard let viewer = viewer?.term else { return "\(a).silenced_at IS NULL" }
        return "(\(a).silenced_at IS NULL OR \(a).id = \(viewer) OR \(follows(viewer, SQL(sql: account + ".id"))))"
    }

    /// Whether the viewer neither blocks nor mutes an account, and the account does not block the viewer.
    /// - Parameters:
    ///   - account: A column that contains the account's id.
    ///   - now: Milliseconds since 1970.
    static func blockAndMuteCondition(_ account: SQL, viewer: (any IDTerm)?, now: Int64) -> SQL {
        guard let viewer = viewer?.term else { return "1 = 1" }
        return """
            NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = \(viewer) AND b.target_id = \(account))
            AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = \(account) AND b.target_id = \(viewer))
            AND NOT EXISTS (SELECT 1 FROM mute u WHERE u.account_id = \(viewer) AND u.target_id = \(account)
                AND (u.expires_at IS NULL OR u.expires_at > \(now)))
            """
    }

    /// Whether the status `o` that `e` boosts is visible and meets a condition.
    static func original(viewer: (any IDTerm)?, _ condition: SQL = "1 = 1") -> SQL {
        """
        EXISTS (SELECT 1 FROM status o CROSS JOIN account oa ON oa.id = o.account_id
            WHERE o.id = e.boost_of_id AND \(condition) AND \(rule("o", author: "oa", viewer: viewer)))
        """
    }

    /// Whether `follower` follows the account whose id the column contains.
    static func follows(_ follower: any IDTerm, _ account: SQL, _ condition: SQL = "1 = 1") -> SQL {
        """
        EXISTS (SELECT 1 FROM follow f WHERE f.follower_id = \(follower.term) AND f.followee_id = \(account)
            AND \(condition) AND \(published("f")))
        """
    }

    /// Whether a row does not belong to an unfinished import.
    static func published(_ alias: String) -> SQL {
        "\(sql: alias).import_id NOT IN (SELECT id FROM staged_import)"
    }
}

/// An id in a condition: a bound value, or a column if the condition is evaluated for several ids.
protocol IDTerm: Sendable {
    var term: SQL { get }
}

extension Int64: IDTerm {
    var term: SQL { "\(self)" }
}

extension SQL: IDTerm {
    var term: SQL { self }
}
