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
    static func rule(_ status: String, author: String, viewer: Int64?) -> SQL {
        let (s, a) = (SQL(sql: status), SQL(sql: author))
        let stands: SQL = "\(a).suspended_at IS NULL AND \(published(status))"
        guard let viewer else { return "\(s).visibility <= 1 AND \(stands)" }
        return """
            (\(s).visibility <= 1 OR \(s).account_id = \(viewer)
                OR (\(s).visibility = 2 AND \(follows(viewer, SQL(sql: status + ".account_id"))))
                OR EXISTS (SELECT 1 FROM mention m WHERE m.account_id = \(viewer) AND m.status_id = \(s).id))
            AND NOT EXISTS (SELECT 1 FROM block k WHERE k.account_id = \(s).account_id AND k.target_id = \(viewer))
            AND \(stands)
            """
    }

    /// The rule for the status `e` by `ea`; for a boost, also for the boosted status.
    static func entry(viewer: Int64?) -> SQL {
        """
        \(rule("e", author: "ea", viewer: viewer)) AND (e.boost_of_id IS NULL OR \(original(viewer: viewer)))
        """
    }

    /// Omits statuses from lists if their author fails ``isListed(_:viewer:)``, or if the author, the author of the
    /// boosted status, or the account they reply to fails ``accepts(_:viewer:now:)``.
    static func wanted(viewer: Int64?, now: Int64) -> SQL {
        guard let viewer else { return isListed("ea", viewer: nil) }
        return """
            \(isListed("ea", viewer: viewer))
            AND \(accepts("e.account_id", viewer: viewer, now: now))
            AND (e.in_reply_to_account_id IS NULL OR \(accepts("e.in_reply_to_account_id", viewer: viewer, now: now)))
            AND (e.boost_of_id IS NULL
                OR \(original(viewer: viewer, accepts("o.account_id", viewer: viewer, now: now))))
            """
    }

    /// Whether an account appears in lists of statuses by many authors, in searches and in notifications. As with
    /// Mastodon's limited accounts, a silenced account does so only for itself and its followers.
    /// - Parameter account: The alias of the account.
    static func isListed(_ account: String, viewer: Int64?) -> SQL {
        let a = SQL(sql: account)
        guard let viewer else { return "\(a).silenced_at IS NULL" }
        return "(\(a).silenced_at IS NULL OR \(a).id = \(viewer) OR \(follows(viewer, SQL(sql: account + ".id"))))"
    }

    /// Whether the viewer neither blocks nor mutes an account, and the account does not block the viewer.
    /// - Parameters:
    ///   - account: A column that contains the account's id.
    ///   - now: Milliseconds since 1970.
    static func accepts(_ account: SQL, viewer: Int64?, now: Int64) -> SQL {
        guard let viewer else { return "1 = 1" }
        return """
            NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = \(viewer) AND b.target_id = \(account))
            AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = \(account) AND b.target_id = \(viewer))
            AND NOT EXISTS (SELECT 1 FROM mute u WHERE u.account_id = \(viewer) AND u.target_id = \(account)
                AND (u.expires_at IS NULL OR u.expires_at > \(now)))
            """
    }

    /// Whether the status `o` that `e` boosts is visible and meets a condition.
    static func original(viewer: Int64?, _ condition: SQL = "1 = 1") -> SQL {
        """
        EXISTS (SELECT 1 FROM status o CROSS JOIN account oa ON oa.id = o.account_id
            WHERE o.id = e.boost_of_id AND \(condition) AND \(rule("o", author: "oa", viewer: viewer)))
        """
    }

    /// Whether `follower` follows the account whose id the column contains.
    static func follows(_ follower: Int64, _ account: SQL, _ condition: SQL = "1 = 1") -> SQL {
        """
        EXISTS (SELECT 1 FROM follow f WHERE f.follower_id = \(follower) AND f.followee_id = \(account)
            AND \(condition) AND \(published("f")))
        """
    }

    /// Whether a row does not belong to an unfinished import.
    static func published(_ alias: String) -> SQL {
        "\(sql: alias).import_id NOT IN (SELECT id FROM staged_import)"
    }
}
