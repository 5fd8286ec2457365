extension PostgresSchema {
    /// Adds groups of notifications, with the existing ones, and the reports of notifications for administrators.
    static let notificationGroups = """
        CREATE TABLE notification_group (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            group_key TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            status_id BIGINT REFERENCES status ON DELETE CASCADE,
            newest_id BIGINT NOT NULL,
            count BIGINT NOT NULL
        );
        INSERT INTO notification_group (id, account_id, group_key, kind, status_id, newest_id, count)
            SELECT min(id), account_id,
                kind || '-' || coalesce(CAST(status_id AS TEXT) || '-', '') || CAST((id >> 16) / 43200000 AS TEXT),
                kind, status_id, max(id), count(*)
            FROM notification WHERE kind IN ('favourite', 'reblog', 'follow')
            GROUP BY account_id, kind, status_id, (id >> 16) / 43200000;
        CREATE UNIQUE INDEX notification_group_key ON notification_group (account_id, group_key);
        CREATE INDEX notification_group_kind ON notification_group (account_id, kind, newest_id);
        CREATE INDEX notification_group_status ON notification_group (status_id) WHERE status_id IS NOT NULL;
        ALTER TABLE notification ADD COLUMN group_id BIGINT;
        ALTER TABLE notification ADD COLUMN report_id BIGINT REFERENCES report ON DELETE CASCADE;
        UPDATE notification SET group_id = g.id FROM notification_group g
            WHERE g.account_id = notification.account_id AND notification.kind IN ('favourite', 'reblog', 'follow')
            AND g.group_key = notification.kind || '-' || coalesce(CAST(notification.status_id AS TEXT) || '-', '')
                || CAST((notification.id >> 16) / 43200000 AS TEXT);
        CREATE INDEX notification_member ON notification (group_id, id) WHERE group_id IS NOT NULL;
        CREATE INDEX notification_report ON notification (report_id) WHERE report_id IS NOT NULL;
        DROP INDEX notification_once;
        CREATE UNIQUE INDEX notification_once
            ON notification (account_id, from_id, kind, coalesce(status_id, report_id, 0));
        CREATE INDEX account_admin ON account (id) WHERE role = 'admin';
        """
}
