import GRDB

extension Migrations {
    /// Replaces indexes by ones whose expressions both engines support.
    static func portableSchema(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                DROP INDEX token_program;
                CREATE INDEX token_application_use ON token (coalesce(used_at, created_at)) WHERE account_id IS NULL;
                DROP INDEX notification_once;
                CREATE UNIQUE INDEX notification_once
                    ON notification (account_id, from_id, kind, coalesce(status_id, 0));
                """)
    }
}
