import FeedAPI
import GRDB

/// The tables of stored timelines.
enum OfflineSchema {
    /// The version of the schema; tables of another version are discarded.
    private static let current: Int64 = 3
    /// The version that lacks only the columns of ``additions``.
    private static let previous: Int64 = 2
    /// Distinguishes the file from other databases: `fctl`.
    private static let applicationID: Int64 = 0x6663_746C

    /// The columns of each table, by which files are recognized that were written before they had an application id.
    private typealias Tables = [String: Set<String>]
    private static let previousTables: Tables = [
        "owner": ["id", "name", "position", "position_time"],
        "timeline": ["id", "owner", "name", "synced_at", "revision"],
        "status": ["id", "owner", "key", "boosted", "json", "fetched_at"],
        "entry": ["timeline", "key", "status", "has_gap"],
        "read_position": ["owner", "timeline", "key", "is_sent"],
    ]
    /// The version before the first number.
    private static let firstTables: Tables = [
        "page": ["owner", "timeline", "synced_at"], "entry": ["owner", "timeline", "position", "json"],
        "sync": ["owner", "position", "time"],
    ]

    private enum Content { case current, previous, outdated, foreign }

    /// Creates the tables, unless they exist. Does not read the rest of the file.
    /// - Throws: `DatabaseError`; ``FeedClientError`` `.disk` if the file is a database of another program, which is not
    ///   changed.
    static func prepare(_ queue: DatabaseQueue) throws {
        guard try queue.read(content) != .current else { return }
        try queue.inTransaction(.immediate) { db in
            // Another process may have created them meanwhile.
            switch try content(db) {
            case .current: break
            case .previous:
                try db.execute(sql: additions)
                try mark(db)
            case .outdated:
                try removeAll(db)
                try create(db)
                try mark(db)
            case .foreign:
                throw FeedClientError(
                    .disk, "\(queue.path) is a database of another program", hint: "Move it elsewhere.")
            }
            return .commit
        }
    }

    private static func content(_ db: Database) throws -> Content {
        let version = try Int64.fetchOne(db, sql: "PRAGMA user_version")
        let id = try Int64.fetchOne(db, sql: "PRAGMA application_id")
        if id == applicationID {
            return version == current ? .current : version == previous ? .previous : .outdated
        }
        guard id == 0 else { return .foreign }
        let names = try tableNames(db)
        switch version {
        case 0: return try areTables(names, of: firstTables, db) ? .outdated : .foreign
        case previous:
            return try names.count == previousTables.count && areTables(names, of: previousTables, db)
                ? .previous : .foreign
        default: return .foreign
        }
    }

    /// The names of all tables and views.
    private static func tableNames(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_schema
                WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                """)
    }

    /// Whether tables have the names and columns of a version.
    private static func areTables(_ names: [String], of version: Tables, _ db: Database) throws -> Bool {
        try names.allSatisfy { version[$0] != nil }
            && names.allSatisfy { try Set(db.columns(in: $0).map(\.name)) == version[$0] }
    }

    private static func mark(_ db: Database) throws { try db.execute(sql: "PRAGMA application_id = \(applicationID)") }

    private static func removeAll(_ db: Database) throws {
        for name in try tableNames(db) { try db.execute(sql: "DROP TABLE " + name.quotedDatabaseIdentifier) }
    }

    /// `has_news`: whether there may be new statuses since the newest ones were fetched. `verified_at`: when the newest page
    /// was last compared as a whole, with all counts. The columns of the owner: when notifications and conversations were
    /// fetched; 0 if there may be new ones.
    private static let additions = """
        ALTER TABLE timeline ADD COLUMN has_news INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE timeline ADD COLUMN verified_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE owner ADD COLUMN notifications_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE owner ADD COLUMN conversations_at INTEGER NOT NULL DEFAULT 0;
        PRAGMA user_version = \(current);
        """

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
                \(additions)
                """)
    }
}
