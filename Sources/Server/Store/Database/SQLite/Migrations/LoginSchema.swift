import GRDB

extension Migrations {
    /// Adds authorization codes and refresh tokens.
    static func loginSchema(_ db: GRDB.Database) throws { try db.execute(sql: loginTables) }

    private static let loginTables = """
        CREATE TABLE authorization_code (
            hash BLOB NOT NULL PRIMARY KEY,
            application_id INTEGER NOT NULL REFERENCES application ON DELETE CASCADE,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            redirect_uri TEXT NOT NULL,
            scopes TEXT NOT NULL,
            -- Of PKCE (RFC 7636), always S256.
            challenge TEXT,
            created_at INTEGER NOT NULL,
            used INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX authorization_code_created ON authorization_code (created_at);
        CREATE INDEX authorization_code_account ON authorization_code (account_id);
        CREATE INDEX authorization_code_application ON authorization_code (application_id);

        -- The code a token was issued for: replaying it revokes the token.
        ALTER TABLE token ADD COLUMN code_hash BLOB;
        CREATE INDEX token_code ON token (code_hash) WHERE code_hash IS NOT NULL;
        CREATE INDEX token_application ON token (application_id);

        -- Used ones are kept for a while: replaying one revokes its token.
        CREATE TABLE refresh_token (
            hash BLOB NOT NULL PRIMARY KEY,
            token_id INTEGER NOT NULL REFERENCES token ON DELETE CASCADE,
            used INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refresh_token_token ON refresh_token (token_id, created_at);

        CREATE INDEX account_email ON account (lower(email)) WHERE email <> '';
        """
}
