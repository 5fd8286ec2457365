import GRDB

extension SQLiteMigrations {
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

extension SQLiteMigrations {
    /// Adds the columns by which unused applications are recognized.
    static func applicationSchema(_ db: GRDB.Database) throws { try db.execute(sql: applicationColumns) }

    private static let applicationColumns = """
        -- Whether an account ever had a token for it; unknown for existing applications, so assumed.
        ALTER TABLE application ADD COLUMN granted INTEGER NOT NULL DEFAULT 0;
        UPDATE application SET granted = 1;
        CREATE INDEX application_unused ON application (created_at) WHERE granted = 0;

        -- When it was last used, at the latest; only for applications' own tokens.
        ALTER TABLE token ADD COLUMN used_at INTEGER;
        UPDATE token SET used_at = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) WHERE account_id IS NULL;
        CREATE INDEX token_program ON token (ifnull(used_at, created_at)) WHERE account_id IS NULL;
        """
}

extension SQLiteMigrations {
    /// Adds the counters of failed logins.
    static func loginFailureSchema(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE login_failure (
                    key TEXT PRIMARY KEY,
                    count INTEGER NOT NULL,
                    since INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX login_failure_since ON login_failure (since);
                """)
    }
}

extension SQLiteMigrations {
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

extension SQLiteMigrations {
    /// Adds the networks from which accounts have logged in.
    static func knownNetworkSchema(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE known_network (
                    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                    network TEXT NOT NULL,
                    login_at INTEGER NOT NULL,
                    PRIMARY KEY (account_id, network)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX known_network_login ON known_network (login_at);
                """)
    }
}

extension SQLiteMigrations {
    /// Adds the links that set new passwords.
    static func passwordResetSchema(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE password_reset (
                    -- Of the code in the link.
                    hash BLOB NOT NULL PRIMARY KEY,
                    account_id INTEGER NOT NULL UNIQUE REFERENCES account ON DELETE CASCADE,
                    expires_at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """)
    }
}
