import FeedCore
import GRDB

extension Migrations {
    /// Adds conversations, the daily use of hashtags, featured hashtags, and the indexes of the directory.
    static func discoverySchema(_ db: GRDB.Database) throws {
        try db.execute(sql: discovery)
        for statement in DiscoveryFill.statements { try db.execute(sql: statement) }
    }

    private static let discovery = """
        -- The direct statuses that an account has written or is mentioned in, by thread (see status.conversation_id).
        CREATE TABLE conversation_status (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            conversation_id INTEGER NOT NULL,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            PRIMARY KEY (account_id, conversation_id, status_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX conversation_status_status ON conversation_status (status_id);

        -- A row per participant and thread.
        CREATE TABLE conversation (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            conversation_id INTEGER NOT NULL,
            -- The status with which the account joined the thread. Unlike the id of the thread, it is no secret.
            id INTEGER NOT NULL,
            last_status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            is_unread INTEGER NOT NULL DEFAULT 0,
            is_hidden INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (account_id, conversation_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX conversation_id ON conversation (account_id, id);
        CREATE INDEX conversation_shown ON conversation (account_id, last_status_id) WHERE is_hidden = 0;
        CREATE INDEX conversation_last ON conversation (last_status_id);

        -- How many public statuses by how many accounts contained a hashtag, by day since 1970; the last days only.
        CREATE TABLE tag_day (
            tag TEXT NOT NULL,
            day INTEGER NOT NULL,
            uses INTEGER NOT NULL,
            accounts INTEGER NOT NULL,
            PRIMARY KEY (tag, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tag_day_accounts ON tag_day (day, accounts);

        CREATE TABLE featured_tag (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            tag TEXT NOT NULL,
            id INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (account_id, tag)
        ) STRICT, WITHOUT ROWID;

        -- Suggestions that an account does not want to see again.
        CREATE TABLE dismissed_suggestion (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            PRIMARY KEY (account_id, target_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX dismissed_suggestion_target ON dismissed_suggestion (target_id);

        CREATE INDEX account_active ON account (last_status_at, id)
            WHERE discoverable = 1 AND suspended_at IS NULL AND silenced_at IS NULL AND last_status_at IS NOT NULL;
        CREATE INDEX account_new ON account (id)
            WHERE discoverable = 1 AND suspended_at IS NULL AND silenced_at IS NULL;
        """
}

extension Migrations {
    /// Marks the keys of hashtags and the search terms of display names for ``FoldedTextRenewal``.
    static func keyRenewalSchema(_ db: GRDB.Database) throws {
        try db.execute(sql: "INSERT INTO meta (key, value) VALUES ('key_renewal', '') ON CONFLICT DO NOTHING")
    }
}

/// Fills the tables of conversations and of the use of hashtags for existing statuses, on both engines. What has to be
/// sorted or grouped is left to the engine, which needs a bounded amount of memory for it.
enum DiscoveryFill {
    static let statements = [authors, mentioned, conversations, tagDays]

    private static let published = "s.import_id NOT IN (SELECT id FROM staged_import)"

    private static let authors = """
        INSERT INTO conversation_status (account_id, conversation_id, status_id)
        SELECT s.account_id, coalesce(s.conversation_id, s.id), s.id FROM status s
        WHERE s.visibility = 3 AND s.boost_of_id IS NULL AND \(published)
        """

    private static let mentioned = """
        INSERT INTO conversation_status (account_id, conversation_id, status_id)
        SELECT m.account_id, coalesce(s.conversation_id, s.id), s.id FROM mention m JOIN status s ON s.id = m.status_id
        WHERE m.visibility = 3 AND \(published)
        ON CONFLICT DO NOTHING
        """

    /// Existing conversations count as read.
    private static let conversations = """
        INSERT INTO conversation (account_id, conversation_id, id, last_status_id)
        SELECT account_id, conversation_id, min(status_id), max(status_id) FROM conversation_status
        GROUP BY account_id, conversation_id
        """

    private static let tagDays = """
        INSERT INTO tag_day (tag, day, uses, accounts)
        SELECT t.tag, (t.status_id >> 16) / \(TagUse.milliseconds), count(*), count(DISTINCT t.account_id)
        FROM status_tag t JOIN status s ON s.id = t.status_id
        WHERE t.visibility = 0 AND \(published)
        AND t.status_id >= (SELECT coalesce(max(id), 0) FROM status) - \(TagUse.firstID(of: TagHistory.days + 1))
        GROUP BY t.tag, (t.status_id >> 16) / \(TagUse.milliseconds)
        """
}
