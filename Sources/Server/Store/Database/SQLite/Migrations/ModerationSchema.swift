import GRDB

extension SQLiteMigrations {
    /// Adds silenced and removed accounts, and reports.
    static func moderationSchema(_ db: GRDB.Database) throws { try db.execute(sql: moderation) }

    private static let moderation = """
        ALTER TABLE account ADD COLUMN silenced_at INTEGER;
        -- Such an account is suspended, too; its row remains, so that the name stays taken.
        ALTER TABLE account ADD COLUMN removed_at INTEGER;

        -- Removals that are not complete yet.
        CREATE TABLE account_removal (
            account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            started_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE report (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            category TEXT NOT NULL,
            comment TEXT NOT NULL,
            -- "id id"; the statuses may have been deleted.
            status_ids TEXT NOT NULL DEFAULT '',
            rule_ids TEXT NOT NULL DEFAULT '',
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            assigned_id INTEGER,
            resolved_at INTEGER,
            resolved_by INTEGER
        ) STRICT;
        CREATE INDEX report_open ON report (id) WHERE resolved_at IS NULL;
        CREATE INDEX report_account ON report (account_id, id);
        CREATE INDEX report_target ON report (target_id, id);
        """
}

extension SQLiteMigrations {
    /// Adds columns to the change log that record who could see a deleted status.
    static func deletionSchema(_ db: GRDB.Database) throws { try db.execute(sql: deletions) }

    private static let deletions = """
        -- The visibility of a deleted status or boost.
        ALTER TABLE change ADD COLUMN visibility INTEGER;
        -- "id id": the accounts that a deleted status mentioned, unless everyone could see it.
        ALTER TABLE change ADD COLUMN mentions TEXT NOT NULL DEFAULT '';
        """
}
