import GRDB

extension Migrations {
    /// Adds sign-ups that await approval, and invitations.
    static func registrationSchema(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                -- The account is suspended until it is approved.
                CREATE TABLE sign_up (
                    account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
                    reason TEXT NOT NULL
                ) STRICT;
                CREATE TABLE invitation (
                    code TEXT NOT NULL PRIMARY KEY,
                    -- In whose name the operator invites.
                    account_id INTEGER REFERENCES account ON DELETE CASCADE,
                    created_at INTEGER NOT NULL,
                    expires_at INTEGER NOT NULL,
                    maximum_uses INTEGER NOT NULL,
                    uses INTEGER NOT NULL DEFAULT 0
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX invitation_account ON invitation (account_id) WHERE account_id IS NOT NULL;
                """)
    }
}
