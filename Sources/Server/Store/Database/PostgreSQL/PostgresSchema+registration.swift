extension PostgresSchema {
    /// Adds sign-ups that await approval, and invitations.
    static let registration = """
        CREATE TABLE sign_up (
            account_id BIGINT PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            reason TEXT COLLATE "C" NOT NULL
        );
        CREATE TABLE invitation (
            code TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            account_id BIGINT REFERENCES account ON DELETE CASCADE,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            maximum_uses BIGINT NOT NULL,
            uses BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX invitation_account ON invitation (account_id) WHERE account_id IS NOT NULL;
        """
}
