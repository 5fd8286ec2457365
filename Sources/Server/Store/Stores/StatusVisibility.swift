import FeedCore
import GRDB

/// Who sees what. ``rule(_:author:viewer:)`` is the one place that decides it; every query that gives a status away holds it.
enum StatusVisibility {
    /// Public and unlisted by anyone, followers-only by followers, anything by its author and by those it names; nothing of
    /// suspended accounts, of those who block the viewer, or of an import that is not finished.
    /// - Parameters:
    ///   - status: The alias of the status.
    ///   - author: The alias of its author.
    static func rule(_ status: String, author: String, viewer: Int64?) -> SQL {
        let (s, a) = (SQL(sql: status), SQL(sql: author))
        let stands: SQL = "\(a).suspended_at IS NULL AND \(s).import_id NOT IN (SELECT id FROM staged_import)"
        guard let viewer else { return "\(s).visibility <= 1 AND \(stands)" }
        return """
            (\(s).visibility <= 1 OR \(s).account_id = \(viewer)
                OR (\(s).visibility = 2 AND EXISTS (
                    SELECT 1 FROM follow f WHERE f.follower_id = \(viewer) AND f.followee_id = \(s).account_id
                    AND f.import_id NOT IN (SELECT id FROM staged_import)))
                OR EXISTS (SELECT 1 FROM mention m WHERE m.account_id = \(viewer) AND m.status_id = \(s).id))
            AND NOT EXISTS (SELECT 1 FROM block k WHERE k.account_id = \(s).account_id AND k.target_id = \(viewer))
            AND \(stands)
            """
    }

    /// The same for `e`, by `ea`, which may be a boost: then for what it boosts as well.
    static func entry(viewer: Int64?) -> SQL {
        """
        \(rule("e", author: "ea", viewer: viewer)) AND (e.boost_of_id IS NULL OR \(original(viewer: viewer, "1")))
        """
    }

    /// What the viewer does not want to meet in lists: those he blocks or mutes, what they boost, answers to them.
    static func wanted(viewer: Int64?) -> SQL {
        guard let viewer else { return "1" }
        return """
            e.account_id NOT IN hidden AND ifnull(e.in_reply_to_account_id, 0) NOT IN hidden
            AND (e.boost_of_id IS NULL OR \(original(viewer: viewer, "o.account_id NOT IN hidden")))
            """
    }

    /// The table `hidden` of ``wanted(viewer:)``, for a WITH clause.
    /// - Parameter now: Milliseconds since 1970.
    static func hidden(from viewer: Int64?, now: Int64) -> SQL {
        guard let viewer else { return "hidden(id) AS (SELECT 0 WHERE 0)" }
        return """
            hidden(id) AS MATERIALIZED (
                SELECT target_id FROM block WHERE account_id = \(viewer)
                UNION ALL SELECT id FROM account WHERE suspended_at IS NOT NULL
                UNION ALL SELECT account_id FROM block WHERE target_id = \(viewer)
                UNION ALL SELECT target_id FROM mute WHERE account_id = \(viewer)
                    AND (expires_at IS NULL OR expires_at > \(now)))
            """
    }

    static func original(viewer: Int64?, _ condition: SQL) -> SQL {
        """
        EXISTS (SELECT 1 FROM status o CROSS JOIN account oa ON oa.id = o.account_id
            WHERE o.id = e.boost_of_id AND \(condition) AND \(rule("o", author: "oa", viewer: viewer)))
        """
    }
}
