import GRDB

extension SQLiteMigrations {
    /// Adds polls.
    static func pollSchema(_ db: GRDB.Database) throws { try db.execute(sql: polls) }

    private static let polls = """
        -- A status has at most one poll, which therefore has the id of the status.
        CREATE TABLE poll (
            status_id INTEGER PRIMARY KEY REFERENCES status ON DELETE CASCADE,
            multiple INTEGER NOT NULL DEFAULT 0,
            hides_totals INTEGER NOT NULL DEFAULT 0,
            expires_at INTEGER NOT NULL,
            -- Set when the poll is closed, a moment after expires_at.
            expired INTEGER NOT NULL DEFAULT 0,
            voters_count INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX poll_open ON poll (expires_at) WHERE expired = 0;
        CREATE TABLE poll_option (
            status_id INTEGER NOT NULL REFERENCES poll ON DELETE CASCADE,
            number INTEGER NOT NULL,
            title TEXT NOT NULL,
            votes_count INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (status_id, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE poll_vote (
            status_id INTEGER NOT NULL REFERENCES poll ON DELETE CASCADE,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            number INTEGER NOT NULL,
            PRIMARY KEY (status_id, account_id, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX poll_vote_account ON poll_vote (account_id, status_id);

        ALTER TABLE status ADD COLUMN has_poll INTEGER NOT NULL DEFAULT 0;
        -- JSON: the options of the poll of a former version.
        ALTER TABLE status_edit ADD COLUMN poll TEXT NOT NULL DEFAULT '[]';
        """
}

extension SQLiteMigrations {
    /// Adds statuses that will be published at a later time.
    static func scheduledStatusSchema(_ db: GRDB.Database) throws { try db.execute(sql: scheduledStatuses) }

    private static let scheduledStatuses = """
        CREATE TABLE scheduled_status (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            scheduled_at INTEGER NOT NULL,
            -- The next attempt to publish it.
            due_at INTEGER NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0,
            -- JSON: what it contains.
            parameters TEXT NOT NULL,
            idempotency_key TEXT,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX scheduled_status_account ON scheduled_status (account_id, id);
        CREATE INDEX scheduled_status_due ON scheduled_status (due_at, id);

        -- Such a file does not expire.
        ALTER TABLE media ADD COLUMN scheduled_id INTEGER REFERENCES scheduled_status ON DELETE SET NULL;
        CREATE INDEX media_scheduled ON media (scheduled_id) WHERE scheduled_id IS NOT NULL;
        """
}
