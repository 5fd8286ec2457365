import GRDB

extension Migrations {
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
