extension PostgresSchema {
    /// Adds statuses that will be published at a later time.
    static let scheduledStatuses = """
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
}
