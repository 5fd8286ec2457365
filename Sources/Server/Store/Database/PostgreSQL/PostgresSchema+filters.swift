extension PostgresSchema {
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
}
