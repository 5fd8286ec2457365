import GRDB

/// The tables of stored timelines.
enum TimelineSchema {
    /// The version of the schema; tables of another version are discarded.
    private static let current = 2

    /// Creates the tables, unless they exist. Does not read the rest of the file.
    static func prepare(_ queue: DatabaseQueue) throws {
        guard try queue.read(version) != current else { return }
        try queue.inTransaction(.immediate) { db in
            // Another process may have created them meanwhile.
            if try version(db) != current {
                try removeAll(db)
                try create(db)
            }
            return .commit
        }
    }

    private static func version(_ db: Database) throws -> Int? { try Int.fetchOne(db, sql: "PRAGMA user_version") }

    private static func removeAll(_ db: Database) throws {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        for name in try String.fetchAll(db, sql: sql) {
            try db.execute(sql: "DROP TABLE " + name.quotedDatabaseIdentifier)
        }
    }

    /// `key` and `boosted` are ``StatusKey``s; in timelines that are not sorted by ids, the `key` of an entry is its rank.
    /// Times are milliseconds since 1970.
    private static func create(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE owner (
                    id INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE,
                    position TEXT,
                    position_time INTEGER
                ) STRICT;
                CREATE TABLE timeline (
                    id INTEGER PRIMARY KEY,
                    owner INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    synced_at INTEGER NOT NULL,
                    revision INTEGER NOT NULL,
                    UNIQUE (owner, name)
                ) STRICT;
                CREATE TABLE status (
                    id INTEGER PRIMARY KEY,
                    owner INTEGER NOT NULL,
                    key TEXT NOT NULL,
                    boosted TEXT,
                    json BLOB NOT NULL,
                    fetched_at INTEGER NOT NULL,
                    UNIQUE (owner, key)
                ) STRICT;
                CREATE INDEX status_boosted ON status (owner, boosted) WHERE boosted IS NOT NULL;
                CREATE INDEX status_fetched_at ON status (owner, fetched_at);
                CREATE TABLE entry (
                    timeline INTEGER NOT NULL,
                    key TEXT NOT NULL,
                    status INTEGER NOT NULL,
                    has_gap INTEGER NOT NULL,
                    PRIMARY KEY (timeline, key)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX entry_status ON entry (status);
                CREATE TABLE read_position (
                    owner INTEGER NOT NULL,
                    timeline TEXT NOT NULL,
                    key TEXT NOT NULL,
                    is_sent INTEGER NOT NULL,
                    PRIMARY KEY (owner, timeline)
                ) STRICT, WITHOUT ROWID;
                PRAGMA user_version = \(current);
                """)
    }
}
