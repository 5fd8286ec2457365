import GRDB

extension Migrations {
    /// Adds columns to the change log that record who could see a deleted status.
    static func deletionSchema(_ db: GRDB.Database) throws { try db.execute(sql: deletions) }

    private static let deletions = """
        -- The visibility of a deleted status or boost.
        ALTER TABLE change ADD COLUMN visibility INTEGER;
        -- "id id": the accounts that a deleted status mentioned, unless everyone could see it.
        ALTER TABLE change ADD COLUMN mentions TEXT NOT NULL DEFAULT '';
        """
}
