extension PostgresSchema {
    /// Adds polls.
    static let polls = """
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
}
