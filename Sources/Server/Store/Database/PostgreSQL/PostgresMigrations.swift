/// The statements that lead from each version of ``PostgresSchema`` to the next one. A released migration never
/// changes.
enum PostgresMigrations {
    /// All migrations, the oldest first.
    static let all = [
        loginFailures, moderation, registration, knownNetworks, relatedStatuses, media, polls, discovery, lists,
        notificationGroups, scheduledStatuses, filters, deletions, stillPictures, followLanguages, keyRenewal, search,
        pagePreferences, passwordResets, pageLanguage, changeLog,
    ]

    /// Adds the counters of failed logins.
    private static let loginFailures = """
        CREATE TABLE login_failure (
            key TEXT COLLATE "C" PRIMARY KEY,
            count BIGINT NOT NULL,
            since BIGINT NOT NULL
        );
        CREATE INDEX login_failure_since ON login_failure (since);
        """

    /// Adds silenced and removed accounts, and reports.
    private static let moderation = """
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
    private static let knownNetworks = """
        CREATE TABLE known_network (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            network TEXT COLLATE "C" NOT NULL,
            login_at BIGINT NOT NULL,
            PRIMARY KEY (account_id, network)
        );
        CREATE INDEX known_network_login ON known_network (login_at);
        """

    /// Adds the links that set new passwords.
    private static let passwordResets = """
        CREATE TABLE password_reset (
            hash BYTEA NOT NULL PRIMARY KEY,
            account_id BIGINT NOT NULL UNIQUE REFERENCES account ON DELETE CASCADE,
            expires_at BIGINT NOT NULL
        );
        """

    /// Adds the second status that a change concerns.
    private static let relatedStatuses = "ALTER TABLE change ADD COLUMN related BIGINT"

    /// Adds the languages of follows.
    private static let followLanguages = """
        ALTER TABLE follow ADD COLUMN languages TEXT COLLATE "C";
        ALTER TABLE follow_request ADD COLUMN languages TEXT COLLATE "C";
        """

    /// Marks the keys of hashtags and the search terms of display names for ``KeyNormalization``.
    private static let keyRenewal = "INSERT INTO meta (key, value) VALUES ('key_renewal', '') ON CONFLICT DO NOTHING"

    /// Adds columns to the change log that record who could see a deleted status.
    private static let deletions = """
        ALTER TABLE change ADD COLUMN visibility BIGINT;
        ALTER TABLE change ADD COLUMN mentions TEXT COLLATE "C" NOT NULL DEFAULT '';
        """

    /// Adds still images of avatars and headers.
    private static let stillPictures = """
        ALTER TABLE account ADD COLUMN avatar_static TEXT COLLATE "C";
        ALTER TABLE account ADD COLUMN header_static TEXT COLLATE "C";
        CREATE INDEX account_avatar_static ON account (avatar_static) WHERE avatar_static IS NOT NULL;
        CREATE INDEX account_header_static ON account (header_static) WHERE header_static IS NOT NULL;
        CREATE INDEX account_without_still ON account (id)
            WHERE (avatar IS NOT NULL AND avatar_static IS NULL) OR (header IS NOT NULL AND header_static IS NULL);
        """

    /// Adds what a member prefers on the pages.
    private static let pagePreferences = """
        ALTER TABLE account ADD COLUMN time_zone TEXT COLLATE "C";
        ALTER TABLE account ADD COLUMN theme TEXT COLLATE "C";
        """

    /// Adds the language in which a member reads the pages.
    private static let pageLanguage = #"ALTER TABLE account ADD COLUMN page_language TEXT COLLATE "C""#

    /// Makes the change log cheaper to append to.
    private static let changeLog = "DROP INDEX IF EXISTS change_at"

    /// Adds the search index, which ``SearchIndexing`` fills.
    private static let search = """
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

    /// Adds media attachments.
    private static let media = """
        CREATE TABLE media (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id BIGINT REFERENCES status ON DELETE SET NULL,
            key TEXT COLLATE "C" NOT NULL UNIQUE,
            format TEXT COLLATE "C",
            blob TEXT COLLATE "C",
            size BIGINT NOT NULL DEFAULT 0,
            width BIGINT,
            height BIGINT,
            milliseconds BIGINT,
            blurhash TEXT COLLATE "C",
            thumbnail TEXT COLLATE "C",
            thumbnail_format TEXT COLLATE "C",
            thumbnail_size BIGINT NOT NULL DEFAULT 0,
            thumbnail_width BIGINT,
            thumbnail_height BIGINT,
            description TEXT COLLATE "C",
            focus_x BIGINT,
            focus_y BIGINT,
            failure TEXT COLLATE "C",
            created_at BIGINT NOT NULL,
            expires_at BIGINT
        );
        CREATE INDEX media_account ON media (account_id, id);
        CREATE INDEX media_status ON media (status_id) WHERE status_id IS NOT NULL;
        CREATE INDEX media_expires ON media (expires_at) WHERE status_id IS NULL;
        CREATE INDEX media_blob ON media (blob) WHERE blob IS NOT NULL;
        CREATE INDEX media_thumbnail ON media (thumbnail) WHERE thumbnail IS NOT NULL;
        ALTER TABLE status ADD COLUMN media_ids TEXT COLLATE "C" NOT NULL DEFAULT '';
        CREATE INDEX status_public_media ON status (visibility, id) WHERE boost_of_id IS NULL AND media_ids <> '';
        CREATE INDEX status_account_media ON status (account_id, id) WHERE media_ids <> '';
        ALTER TABLE status_edit ADD COLUMN media TEXT COLLATE "C" NOT NULL DEFAULT '[]';
        CREATE INDEX account_header ON account (header) WHERE header IS NOT NULL;
        """

    /// Adds polls.
    private static let polls = """
        CREATE TABLE poll (
            status_id BIGINT PRIMARY KEY REFERENCES status ON DELETE CASCADE,
            multiple BIGINT NOT NULL DEFAULT 0,
            hides_totals BIGINT NOT NULL DEFAULT 0,
            expires_at BIGINT NOT NULL,
            expired BIGINT NOT NULL DEFAULT 0,
            voters_count BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX poll_open ON poll (expires_at) WHERE expired = 0;
        CREATE TABLE poll_option (
            status_id BIGINT NOT NULL REFERENCES poll ON DELETE CASCADE,
            number BIGINT NOT NULL,
            title TEXT COLLATE "C" NOT NULL,
            votes_count BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (status_id, number)
        );
        CREATE TABLE poll_vote (
            status_id BIGINT NOT NULL REFERENCES poll ON DELETE CASCADE,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            number BIGINT NOT NULL,
            PRIMARY KEY (status_id, account_id, number)
        );
        CREATE INDEX poll_vote_account ON poll_vote (account_id, status_id);
        ALTER TABLE status ADD COLUMN has_poll BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE status_edit ADD COLUMN poll TEXT COLLATE "C" NOT NULL DEFAULT '[]';
        """

    /// Adds statuses that will be published at a later time.
    private static let scheduledStatuses = """
        CREATE TABLE scheduled_status (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            scheduled_at BIGINT NOT NULL,
            due_at BIGINT NOT NULL,
            failures BIGINT NOT NULL DEFAULT 0,
            parameters TEXT COLLATE "C" NOT NULL,
            idempotency_key TEXT COLLATE "C",
            created_at BIGINT NOT NULL
        );
        CREATE INDEX scheduled_status_account ON scheduled_status (account_id, id);
        CREATE INDEX scheduled_status_due ON scheduled_status (due_at, id);
        ALTER TABLE media ADD COLUMN scheduled_id BIGINT REFERENCES scheduled_status ON DELETE SET NULL;
        CREATE INDEX media_scheduled ON media (scheduled_id) WHERE scheduled_id IS NOT NULL;
        """

    /// Adds conversations, the daily use of hashtags, featured hashtags, and the indexes of the directory.
    private static let discovery = ([discoveryTables] + DiscoveryFill.statements).joined(separator: ";\n")

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
