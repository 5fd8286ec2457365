import GRDB

extension Migrations {
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

extension Migrations {
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
