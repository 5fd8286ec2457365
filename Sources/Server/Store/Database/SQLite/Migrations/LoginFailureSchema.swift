import GRDB

extension Migrations {
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
