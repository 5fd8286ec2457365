extension PostgresSchema {
    /// Adds the search index, which ``SearchBuild`` fills.
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
