/// The statements that lead from one version of the schema to the next one.
extension PostgresSchema {
    /// Adds the counters of failed logins.
    static let loginFailures = """
        CREATE TABLE login_failure (
            key TEXT COLLATE "C" PRIMARY KEY,
            count BIGINT NOT NULL,
            since BIGINT NOT NULL
        );
        CREATE INDEX login_failure_since ON login_failure (since);
        """

    /// Adds silenced and removed accounts, and reports.
    static let moderation = """
        ALTER TABLE account ADD COLUMN silenced_at BIGINT;
        ALTER TABLE account ADD COLUMN removed_at BIGINT;
        CREATE TABLE account_removal (
            account_id BIGINT PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            started_at BIGINT NOT NULL
        );
        CREATE TABLE report (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            category TEXT COLLATE "C" NOT NULL,
            comment TEXT COLLATE "C" NOT NULL,
            status_ids TEXT COLLATE "C" NOT NULL DEFAULT '',
            rule_ids TEXT COLLATE "C" NOT NULL DEFAULT '',
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            assigned_id BIGINT,
            resolved_at BIGINT,
            resolved_by BIGINT
        );
        CREATE INDEX report_open ON report (id) WHERE resolved_at IS NULL;
        CREATE INDEX report_account ON report (account_id, id);
        CREATE INDEX report_target ON report (target_id, id);
        """

    /// Adds the networks from which accounts have logged in.
    static let knownNetworks = """
        CREATE TABLE known_network (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            network TEXT COLLATE "C" NOT NULL,
            login_at BIGINT NOT NULL,
            PRIMARY KEY (account_id, network)
        );
        CREATE INDEX known_network_login ON known_network (login_at);
        """

    /// Adds the links that set new passwords.
    static let passwordResets = """
        CREATE TABLE password_reset (
            hash BYTEA NOT NULL PRIMARY KEY,
            account_id BIGINT NOT NULL UNIQUE REFERENCES account ON DELETE CASCADE,
            expires_at BIGINT NOT NULL
        );
        """

    /// Adds the second status that a change concerns.
    static let relatedStatuses = "ALTER TABLE change ADD COLUMN related BIGINT"

    /// Adds the languages of follows.
    static let followLanguages = """
        ALTER TABLE follow ADD COLUMN languages TEXT COLLATE "C";
        ALTER TABLE follow_request ADD COLUMN languages TEXT COLLATE "C";
        """

    /// Marks the keys of hashtags and the search terms of display names for ``FoldedTextRenewal``.
    static let keyRenewal = "INSERT INTO meta (key, value) VALUES ('key_renewal', '') ON CONFLICT DO NOTHING"

    /// Adds columns to the change log that record who could see a deleted status.
    static let deletions = """
        ALTER TABLE change ADD COLUMN visibility BIGINT;
        ALTER TABLE change ADD COLUMN mentions TEXT COLLATE "C" NOT NULL DEFAULT '';
        """

    /// Adds still images of avatars and headers.
    static let stillPictures = """
        ALTER TABLE account ADD COLUMN avatar_static TEXT COLLATE "C";
        ALTER TABLE account ADD COLUMN header_static TEXT COLLATE "C";
        CREATE INDEX account_avatar_static ON account (avatar_static) WHERE avatar_static IS NOT NULL;
        CREATE INDEX account_header_static ON account (header_static) WHERE header_static IS NOT NULL;
        CREATE INDEX account_without_still ON account (id)
            WHERE (avatar IS NOT NULL AND avatar_static IS NULL) OR (header IS NOT NULL AND header_static IS NULL);
        """

    /// Adds what a member prefers on the pages.
    static let pagePreferences = """
        ALTER TABLE account ADD COLUMN time_zone TEXT COLLATE "C";
        ALTER TABLE account ADD COLUMN theme TEXT COLLATE "C";
        """

    /// Adds the language in which a member reads the pages.
    static let pageLanguage = #"ALTER TABLE account ADD COLUMN page_language TEXT COLLATE "C""#

    /// Makes the change log cheaper to append to.
    static let changeLog = "DROP INDEX IF EXISTS change_at"

    /// Adds the search index, which ``StatusIndexBuilder`` fills.
    static let search = """
        -- The tokens of statuses, see SearchDocument.
        CREATE TABLE status_search (
            status_id BIGINT PRIMARY KEY,
            is_restricted BIGINT NOT NULL,
            tokens TSVECTOR NOT NULL,
            -- The version of the tokens.
            version BIGINT NOT NULL
        );
        CREATE INDEX status_search_newest ON status_search (is_restricted, status_id);
        CREATE INDEX status_search_open ON status_search USING GIN (tokens) WHERE is_restricted = 0;
        CREATE INDEX status_search_restricted ON status_search USING GIN (tokens) WHERE is_restricted = 1;
        -- The accounts whose public statuses are being moved to the other index, and the bound below which they remain.
        CREATE TABLE search_move (
            account_id BIGINT PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            before_id BIGINT NOT NULL
        );
        INSERT INTO meta (key, value) SELECT 'search_build', '' WHERE EXISTS (SELECT 1 FROM status);
        """
}
