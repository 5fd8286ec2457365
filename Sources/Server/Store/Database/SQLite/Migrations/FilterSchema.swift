import GRDB

extension SQLiteMigrations {
    /// Adds filters, endorsements, notes about accounts and what accounts hide.
    static func filterSchema(_ db: GRDB.Database) throws { try db.execute(sql: filters) }

    private static let filters = """
        CREATE TABLE custom_filter (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            title TEXT NOT NULL,
            -- "home public"
            contexts TEXT NOT NULL,
            action TEXT NOT NULL,
            expires_at INTEGER,
            -- Whether the change log contains the expiry.
            expired INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX custom_filter_account ON custom_filter (account_id, id);
        CREATE INDEX custom_filter_expires ON custom_filter (expires_at) WHERE expires_at IS NOT NULL AND expired = 0;
        CREATE TABLE filter_keyword (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            filter_id INTEGER NOT NULL REFERENCES custom_filter ON DELETE CASCADE,
            keyword TEXT NOT NULL,
            whole_word INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX filter_keyword_account ON filter_keyword (account_id, id);
        CREATE INDEX filter_keyword_filter ON filter_keyword (filter_id);
        CREATE TABLE filter_status (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            filter_id INTEGER NOT NULL REFERENCES custom_filter ON DELETE CASCADE,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            UNIQUE (filter_id, status_id)
        ) STRICT;
        CREATE INDEX filter_status_account ON filter_status (account_id, id);
        CREATE INDEX filter_status_status ON filter_status (status_id);

        CREATE TABLE endorsement (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            id INTEGER NOT NULL,
            PRIMARY KEY (account_id, target_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX endorsement_list ON endorsement (account_id, id);
        CREATE INDEX endorsement_target ON endorsement (target_id);
        CREATE TABLE account_note (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            comment TEXT NOT NULL,
            PRIMARY KEY (account_id, target_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX account_note_target ON account_note (target_id);

        -- 1: indexable, 2: hides followers and following, 4: noindex.
        ALTER TABLE account ADD COLUMN privacy INTEGER NOT NULL DEFAULT 0;
        """
}
