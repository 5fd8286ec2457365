import GRDB

extension Migrations {
    /// Adds the search index, which ``SearchBuild`` fills.
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
        \(SQLiteFullText.tables.map(fullText).joined(separator: ";\n"));

        -- The accounts whose public statuses are being moved to the other index, and the bound below which they remain.
        CREATE TABLE search_move (
            account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            before_id INTEGER NOT NULL
        ) STRICT;
        INSERT INTO meta (key, value) SELECT 'search_build', '' WHERE EXISTS (SELECT 1 FROM status);
        """

    /// The statement that creates a full-text index, as SQLite keeps it.
    static func fullText(_ name: String) -> String {
        "CREATE VIRTUAL TABLE \(name) USING fts5(words, facts, content = 'status_search', content_rowid = 'status_id', "
            + "tokenize = 'ascii', columnsize = 0)"
    }
}
