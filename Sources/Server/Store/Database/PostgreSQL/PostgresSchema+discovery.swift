extension PostgresSchema {
    /// Adds conversations, the daily use of hashtags, featured hashtags, and the indexes of the directory.
    static let discovery = ([discoveryTables] + DiscoveryFill.statements).joined(separator: ";\n")

    private static let discoveryTables = """
        CREATE TABLE conversation_status (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            conversation_id BIGINT NOT NULL,
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            PRIMARY KEY (account_id, conversation_id, status_id)
        );
        CREATE INDEX conversation_status_status ON conversation_status (status_id);
        CREATE TABLE conversation (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            conversation_id BIGINT NOT NULL,
            id BIGINT NOT NULL,
            last_status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            is_unread BIGINT NOT NULL DEFAULT 0,
            is_hidden BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (account_id, conversation_id)
        );
        CREATE INDEX conversation_id ON conversation (account_id, id);
        CREATE INDEX conversation_shown ON conversation (account_id, last_status_id) WHERE is_hidden = 0;
        CREATE INDEX conversation_last ON conversation (last_status_id);
        CREATE TABLE tag_day (
            tag TEXT COLLATE "C" NOT NULL,
            day BIGINT NOT NULL,
            uses BIGINT NOT NULL,
            accounts BIGINT NOT NULL,
            PRIMARY KEY (tag, day)
        );
        CREATE INDEX tag_day_accounts ON tag_day (day, accounts);
        CREATE TABLE featured_tag (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            tag TEXT COLLATE "C" NOT NULL,
            id BIGINT NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (account_id, tag)
        );
        CREATE TABLE dismissed_suggestion (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            PRIMARY KEY (account_id, target_id)
        );
        CREATE INDEX dismissed_suggestion_target ON dismissed_suggestion (target_id);
        CREATE INDEX account_active ON account (last_status_at, id)
            WHERE discoverable = 1 AND suspended_at IS NULL AND silenced_at IS NULL AND last_status_at IS NOT NULL;
        CREATE INDEX account_new ON account (id)
            WHERE discoverable = 1 AND suspended_at IS NULL AND silenced_at IS NULL;
        """
}
