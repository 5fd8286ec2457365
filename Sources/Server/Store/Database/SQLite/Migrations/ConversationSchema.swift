import FeedCore
import GRDB

extension SQLiteMigrations {
    /// Stores the conversation of each reply, which therefore stays the same when other statuses of it are deleted.
    static func conversationSchema(_ db: GRDB.Database) throws { try db.execute(sql: conversations) }

    private static let conversations = """
        -- The first status of the conversation, which may be deleted; NULL for the first status itself.
        ALTER TABLE status ADD COLUMN conversation_id INTEGER;
        WITH RECURSIVE tree(id, first) AS (
            SELECT id, id FROM status WHERE in_reply_to_id IS NULL AND boost_of_id IS NULL
            UNION ALL SELECT s.id, tree.first FROM tree JOIN status s ON s.in_reply_to_id = tree.id
        )
        UPDATE status SET conversation_id = tree.first FROM tree WHERE tree.id = status.id AND tree.first <> tree.id;
        CREATE INDEX status_conversation ON status (conversation_id) WHERE conversation_id IS NOT NULL;

        ALTER TABLE conversation_mute RENAME TO old_conversation_mute;
        CREATE TABLE conversation_mute (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            conversation_id INTEGER NOT NULL,
            -- By which one the account muted it, so one it has seen; 0 where that is not known.
            status_id INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (account_id, conversation_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX conversation_mute_conversation ON conversation_mute (conversation_id);
        INSERT OR IGNORE INTO conversation_mute (account_id, conversation_id)
            SELECT m.account_id, ifnull(s.conversation_id, s.id)
            FROM old_conversation_mute m JOIN status s ON s.id = m.status_id;
        DROP TABLE old_conversation_mute;
        """
}

extension SQLiteMigrations {
    /// Adds groups of notifications, with the existing ones, and the reports of notifications for administrators.
    static func notificationGroupSchema(_ db: GRDB.Database) throws { try db.execute(sql: notificationGroups) }

    /// The key that ``NotificationGroupKey`` gives to a notification.
    private static func groupKey(of row: String = "") -> String {
        """
        (\(row)kind || '-' || coalesce(CAST(\(row)status_id AS TEXT) || '-', '')
        || CAST((\(row)id >> 16) / 43200000 AS TEXT))
        """
    }

    private static let notificationGroups = """
        CREATE TABLE notification_group (
            -- The id of its first notification.
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            group_key TEXT NOT NULL,
            kind TEXT NOT NULL,
            status_id INTEGER REFERENCES status ON DELETE CASCADE,
            newest_id INTEGER NOT NULL,
            count INTEGER NOT NULL
        ) STRICT;
        INSERT INTO notification_group (id, account_id, group_key, kind, status_id, newest_id, count)
            SELECT min(id), account_id, \(groupKey()) AS group_key, kind, status_id, max(id), count(*) FROM notification
            WHERE kind IN ('favourite', 'reblog', 'follow')
            GROUP BY account_id, kind, status_id, (id >> 16) / 43200000;
        CREATE UNIQUE INDEX notification_group_key ON notification_group (account_id, group_key);
        CREATE INDEX notification_group_kind ON notification_group (account_id, kind, newest_id);
        CREATE INDEX notification_group_status ON notification_group (status_id) WHERE status_id IS NOT NULL;

        ALTER TABLE notification ADD COLUMN group_id INTEGER;
        ALTER TABLE notification ADD COLUMN report_id INTEGER REFERENCES report ON DELETE CASCADE;
        UPDATE notification SET group_id = (SELECT g.id FROM notification_group g
            WHERE g.account_id = notification.account_id AND g.group_key = \(groupKey(of: "notification.")))
            WHERE kind IN ('favourite', 'reblog', 'follow');
        CREATE INDEX notification_member ON notification (group_id, id) WHERE group_id IS NOT NULL;
        CREATE INDEX notification_report ON notification (report_id) WHERE report_id IS NOT NULL;
        -- One notification per recipient, sender, kind and subject.
        DROP INDEX notification_once;
        CREATE UNIQUE INDEX notification_once
            ON notification (account_id, from_id, kind, coalesce(status_id, report_id, 0));

        CREATE INDEX account_admin ON account (id) WHERE role = 'admin';
        """
}

extension SQLiteMigrations {
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

extension SQLiteMigrations {
    /// Marks the keys of hashtags and the search terms of display names for ``KeyNormalization``.
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
