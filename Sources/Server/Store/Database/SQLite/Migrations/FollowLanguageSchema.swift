import GRDB

extension Migrations {
    /// Adds the languages of follows.
    static func followLanguageSchema(_ db: GRDB.Database) throws { try db.execute(sql: followLanguages) }

    private static let followLanguages = """
        -- "en de": the languages of the statuses that the home timeline shows; NULL for all.
        ALTER TABLE follow ADD COLUMN languages TEXT;
        ALTER TABLE follow_request ADD COLUMN languages TEXT;
        """
}
