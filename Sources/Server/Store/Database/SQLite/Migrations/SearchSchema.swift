import GRDB

extension SQLiteMigrations {
    /// Adds the search index, which ``SearchIndexing`` fills.
    static func searchSchema(_ db: GRDB.Database) throws { try db.execute(sql: search) }

    private static let search = """
        -- The tokens of statuses, see SearchDocument. Restricted ones are in restricted_fts, all others in status_fts.
        CREATE TABLE status_search (
            status_id INTEGER PRIMARY KEY,
            is_restricted INTEGER NOT NULL,
            words TEXT NOT NULL,
            facts TEXT NOT NULL,
            -- The version of the tokens.
            version INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX status_search_newest ON status_search (is_restricted, status_id);
        \(SQLiteSearchIndex.tables.map { fullText($0, key: "status_id") }.joined(separator: ";\n"));

        -- The accounts whose public statuses are being moved to the other index, and the bound below which they remain.
        CREATE TABLE search_move (
            account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            before_id INTEGER NOT NULL
        ) STRICT;
        INSERT INTO meta (key, value) SELECT 'search_build', '' WHERE EXISTS (SELECT 1 FROM status);
        """

    /// Replaces the ids in the search index by numbers, and lets ``SearchIndexing`` fill it again.
    static func searchNumberSchema(_ db: GRDB.Database) throws { try db.execute(sql: searchNumber) }

    private static let searchNumber = """
        -- Words of statuses that are deleted later must not remain in free pages.
        PRAGMA secure_delete = ON;
        DROP TABLE status_fts;
        DROP TABLE restricted_fts;
        DROP TABLE status_search;

        CREATE TABLE status_search (
            -- The order of the ids, in numbers that are close to each other, see SearchNumber.
            number INTEGER PRIMARY KEY,
            status_id INTEGER NOT NULL,
            is_restricted INTEGER NOT NULL,
            words TEXT NOT NULL,
            facts TEXT NOT NULL,
            version INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX status_search_newest ON status_search (is_restricted, status_id);
        \(SQLiteSearchIndex.tables.map { fullText($0, key: "number") }.joined(separator: ";\n"));
        DELETE FROM search_move;
        INSERT INTO meta (key, value) SELECT 'search_build', '' WHERE EXISTS (SELECT 1 FROM status)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value;
        """

    /// The statement that creates a full-text index, as SQLite keeps it.
    /// - Parameter key: The column of `status_search` whose values are the row ids of the index.
    static func fullText(_ name: String, key: String) -> String {
        "CREATE VIRTUAL TABLE \(name) USING fts5(words, facts, content = 'status_search', content_rowid = '\(key)', "
            + "tokenize = 'ascii', columnsize = 0)"
    }

    /// The statements of all full-text indexes, also of older versions.
    static var fullTexts: [String] {
        ["status_id", "number"].flatMap { key in SQLiteSearchIndex.tables.map { fullText($0, key: key) } }
    }
}
