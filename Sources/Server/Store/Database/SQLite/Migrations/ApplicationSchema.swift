import GRDB

extension Migrations {
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
