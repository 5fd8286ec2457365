extension PostgresMigrations {
    /// Adds sign-ups that await approval, and invitations.
    static let registration = """
        CREATE TABLE sign_up (
            account_id BIGINT PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            reason TEXT COLLATE "C" NOT NULL
        );
        CREATE TABLE invitation (
            code TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            account_id BIGINT REFERENCES account ON DELETE CASCADE,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            maximum_uses BIGINT NOT NULL,
            uses BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX invitation_account ON invitation (account_id) WHERE account_id IS NOT NULL;
        """

    /// Adds lists, followed hashtags, and the hashtags of statuses in the change log.
    static let lists = """
        CREATE TABLE list (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            title TEXT COLLATE "C" NOT NULL,
            replies_policy TEXT COLLATE "C" NOT NULL,
            exclusive BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX list_account ON list (account_id, id);
        CREATE TABLE list_member (
            list_id BIGINT NOT NULL REFERENCES list ON DELETE CASCADE,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            owner_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            PRIMARY KEY (list_id, account_id)
        );
        CREATE INDEX list_member_owner ON list_member (owner_id, account_id, list_id);
        CREATE INDEX list_member_account ON list_member (account_id);
        CREATE TABLE tag_follow (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            tag TEXT COLLATE "C" NOT NULL,
            id BIGINT NOT NULL,
            PRIMARY KEY (account_id, tag)
        );
        CREATE INDEX tag_follow_id ON tag_follow (account_id, id);
        ALTER TABLE change ADD COLUMN tags TEXT COLLATE "C" NOT NULL DEFAULT '';
        """

    /// Adds filters, endorsements, notes about accounts and what accounts hide.
    static let filters = """
        CREATE TABLE custom_filter (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            title TEXT COLLATE "C" NOT NULL,
            contexts TEXT COLLATE "C" NOT NULL,
            action TEXT COLLATE "C" NOT NULL,
            expires_at BIGINT,
            expired BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX custom_filter_account ON custom_filter (account_id, id);
        CREATE INDEX custom_filter_expires ON custom_filter (expires_at) WHERE expires_at IS NOT NULL AND expired = 0;
        CREATE TABLE filter_keyword (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            filter_id BIGINT NOT NULL REFERENCES custom_filter ON DELETE CASCADE,
            keyword TEXT COLLATE "C" NOT NULL,
            whole_word BIGINT NOT NULL
        );
        CREATE INDEX filter_keyword_account ON filter_keyword (account_id, id);
        CREATE INDEX filter_keyword_filter ON filter_keyword (filter_id);
        CREATE TABLE filter_status (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            filter_id BIGINT NOT NULL REFERENCES custom_filter ON DELETE CASCADE,
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            UNIQUE (filter_id, status_id)
        );
        CREATE INDEX filter_status_account ON filter_status (account_id, id);
        CREATE INDEX filter_status_status ON filter_status (status_id);
        CREATE TABLE endorsement (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            id BIGINT NOT NULL,
            PRIMARY KEY (account_id, target_id)
        );
        CREATE INDEX endorsement_list ON endorsement (account_id, id);
        CREATE INDEX endorsement_target ON endorsement (target_id);
        CREATE TABLE account_note (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            comment TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (account_id, target_id)
        );
        CREATE INDEX account_note_target ON account_note (target_id);
        ALTER TABLE account ADD COLUMN privacy BIGINT NOT NULL DEFAULT 0;
        """

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
