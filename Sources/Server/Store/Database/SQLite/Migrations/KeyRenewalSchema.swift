import GRDB

extension Migrations {
    /// Marks the keys of hashtags and the search terms of display names for ``KeyRenewal``.
    static func keyRenewalSchema(_ db: GRDB.Database) throws {
        try db.execute(sql: "INSERT INTO meta (key, value) VALUES ('key_renewal', '') ON CONFLICT DO NOTHING")
    }
}
