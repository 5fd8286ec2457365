import GRDB

extension Migrations {
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
