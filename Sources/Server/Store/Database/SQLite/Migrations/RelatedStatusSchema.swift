import GRDB

extension Migrations {
    /// Adds the second status that a change concerns.
    static func relatedStatusSchema(_ db: GRDB.Database) throws {
        try db.execute(sql: "ALTER TABLE change ADD COLUMN related INTEGER")
    }
}
