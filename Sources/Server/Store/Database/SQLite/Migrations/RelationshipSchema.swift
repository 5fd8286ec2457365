import GRDB

// Interactions between accounts, and the resulting notifications. Each entry of a paginated list has an `id` like that
// of a status, assigned on creation.
extension SQLiteMigrations {
    static func socialSchema(_ db: GRDB.Database) throws { try db.execute(sql: social) }

    private static let social = """
        ALTER TABLE account ADD COLUMN locked INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN bot INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN discoverable INTEGER NOT NULL DEFAULT 1;
        -- JSON: [{"name", "value", "html"}].
        ALTER TABLE account ADD COLUMN fields TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE account ADD COLUMN header TEXT;
        -- The defaults of new statuses.
        ALTER TABLE account ADD COLUMN default_visibility INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN default_sensitive INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN default_language TEXT;

        CREATE INDEX account_suspended ON account (id) WHERE suspended_at IS NOT NULL;

        ALTER TABLE follow ADD COLUMN shows_reblogs INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE follow ADD COLUMN notifies INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE follow_request (
            follower_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            followee_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            id INTEGER NOT NULL,
            shows_reblogs INTEGER NOT NULL DEFAULT 1,
            notifies INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (follower_id, followee_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX follow_request_followee ON follow_request (followee_id, id);

        CREATE TABLE block (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            id INTEGER NOT NULL,
            PRIMARY KEY (account_id, target_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX block_target ON block (target_id, account_id);

        -- Permanent without `expires_at` (milliseconds since 1970).
        CREATE TABLE mute (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            id INTEGER NOT NULL,
            hides_notifications INTEGER NOT NULL DEFAULT 1,
            expires_at INTEGER,
            PRIMARY KEY (account_id, target_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mute_target ON mute (target_id);
        CREATE INDEX mute_expires ON mute (expires_at) WHERE expires_at IS NOT NULL;

        -- A conversation is identified by its first status.
        CREATE TABLE conversation_mute (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            PRIMARY KEY (account_id, status_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX conversation_mute_status ON conversation_mute (status_id);

        CREATE TABLE favourite (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            id INTEGER NOT NULL,
            PRIMARY KEY (account_id, status_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX favourite_account ON favourite (account_id, id, status_id);
        CREATE INDEX favourite_status ON favourite (status_id, account_id);

        CREATE TABLE bookmark (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            id INTEGER NOT NULL,
            PRIMARY KEY (account_id, status_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX bookmark_account ON bookmark (account_id, id, status_id);
        CREATE INDEX bookmark_status ON bookmark (status_id);

        CREATE TABLE pin (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            id INTEGER NOT NULL,
            PRIMARY KEY (account_id, status_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pin_status ON pin (status_id);

        -- Earlier versions of edited statuses; the current one is in `status`.
        CREATE TABLE status_edit (
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            content TEXT NOT NULL,
            spoiler_text TEXT NOT NULL,
            sensitive INTEGER NOT NULL,
            PRIMARY KEY (status_id, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE notification (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            kind TEXT NOT NULL,
            from_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id INTEGER REFERENCES status ON DELETE CASCADE
        ) STRICT;
        CREATE INDEX notification_account ON notification (account_id, id);
        -- One notification per recipient, sender, kind and status.
        CREATE UNIQUE INDEX notification_once ON notification (account_id, from_id, kind, ifnull(status_id, 0));
        CREATE INDEX notification_kind ON notification (account_id, kind, id);
        CREATE INDEX notification_from ON notification (from_id, account_id, id);
        CREATE INDEX notification_status ON notification (status_id) WHERE status_id IS NOT NULL;

        -- Read positions of timelines.
        CREATE TABLE marker (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            timeline TEXT NOT NULL,
            last_read_id INTEGER NOT NULL,
            version INTEGER NOT NULL DEFAULT 0,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, timeline)
        ) STRICT, WITHOUT ROWID;

        DROP INDEX status_boost;
        CREATE INDEX status_boost ON status (boost_of_id, id) WHERE boost_of_id IS NOT NULL;
        CREATE UNIQUE INDEX status_boosted_once ON status (account_id, boost_of_id) WHERE boost_of_id IS NOT NULL;
        """
}

extension SQLiteMigrations {
    /// Adds lists, followed hashtags, and the hashtags of statuses in the change log.
    static func listSchema(_ db: GRDB.Database) throws { try db.execute(sql: lists) }

    private static let lists = """
        CREATE TABLE list (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            title TEXT NOT NULL,
            replies_policy TEXT NOT NULL,
            -- Whether the home timeline leaves out the members.
            exclusive INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX list_account ON list (account_id, id);

        CREATE TABLE list_member (
            list_id INTEGER NOT NULL REFERENCES list ON DELETE CASCADE,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            -- The account of the list, which never changes.
            owner_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            PRIMARY KEY (list_id, account_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX list_member_owner ON list_member (owner_id, account_id, list_id);
        CREATE INDEX list_member_account ON list_member (account_id);

        CREATE TABLE tag_follow (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            -- In lowercase.
            tag TEXT NOT NULL,
            id INTEGER NOT NULL,
            PRIMARY KEY (account_id, tag)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tag_follow_id ON tag_follow (account_id, id);

        -- "tag tag": the hashtags of a public status.
        ALTER TABLE change ADD COLUMN tags TEXT NOT NULL DEFAULT '';
        """
}

extension SQLiteMigrations {
    /// Adds the languages of follows.
    static func followLanguageSchema(_ db: GRDB.Database) throws { try db.execute(sql: followLanguages) }

    private static let followLanguages = """
        -- "en de": the languages of the statuses that the home timeline shows; NULL for all.
        ALTER TABLE follow ADD COLUMN languages TEXT;
        ALTER TABLE follow_request ADD COLUMN languages TEXT;
        """
}

extension SQLiteMigrations {
    /// Adds what a member prefers on the pages.
    static func pagePreferenceSchema(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                -- A name of the IANA database; NULL for UTC.
                ALTER TABLE account ADD COLUMN time_zone TEXT;
                -- NULL for what the browser prefers.
                ALTER TABLE account ADD COLUMN theme TEXT;
                """)
    }

    /// Adds the language in which a member reads the pages.
    static func pageLanguageSchema(_ db: GRDB.Database) throws {
        // NULL for what the browser prefers.
        try db.execute(sql: "ALTER TABLE account ADD COLUMN page_language TEXT")
    }
}
