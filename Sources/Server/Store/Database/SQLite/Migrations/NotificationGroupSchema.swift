import GRDB

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
