import GRDB

extension SQLiteMigrations {
    /// Adds indexes that contain only rows a viewer may see, so that reading a page skips few rows.
    static func timelineSchema(_ db: GRDB.Database) throws {
        try db.execute(sql: timelineIndexes)
        let names = try GRDB.Row.fetchAll(db, sql: "SELECT id, display_name FROM account WHERE display_name <> ''")
        for row in names {
            try AccountStore.index(row[1], of: row[0], in: Database(connection: SQLiteConnection(db: db)))
        }
    }

    private static let timelineIndexes = """
        CREATE INDEX status_account_open ON status (account_id, id) WHERE visibility <= 1;
        CREATE INDEX status_account_followers ON status (account_id, id) WHERE visibility = 2;
        CREATE INDEX status_unlisted ON status (id) WHERE visibility = 1 AND boost_of_id IS NULL;

        -- The author and visibility of the mentioning status, which never change.
        ALTER TABLE mention ADD COLUMN author_id INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE mention ADD COLUMN visibility INTEGER NOT NULL DEFAULT 0;
        UPDATE mention SET author_id = s.account_id, visibility = s.visibility
            FROM status s WHERE s.id = mention.status_id;
        CREATE INDEX mention_hidden ON mention (account_id, status_id) WHERE visibility >= 2;
        CREATE INDEX mention_hidden_author ON mention (account_id, author_id, status_id) WHERE visibility >= 2;

        ALTER TABLE status_tag RENAME TO old_status_tag;
        DROP INDEX status_tag_status;
        CREATE TABLE status_tag (
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            tag TEXT NOT NULL,
            account_id INTEGER NOT NULL,
            visibility INTEGER NOT NULL,
            PRIMARY KEY (status_id, tag)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO status_tag SELECT t.status_id, t.tag, s.account_id, s.visibility
            FROM old_status_tag t JOIN status s ON s.id = t.status_id;
        DROP TABLE old_status_tag;
        CREATE INDEX status_tag_public ON status_tag (tag, status_id) WHERE visibility = 0;
        CREATE INDEX status_tag_account ON status_tag (account_id, tag, status_id);

        -- The few followers who requested a notification of every status.
        CREATE INDEX follow_notifies ON follow (followee_id, follower_id) WHERE notifies = 1;

        -- Every suffix of a lowercase display name, so that a prefix search finds any substring.
        CREATE TABLE account_name (
            ending TEXT NOT NULL,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            PRIMARY KEY (ending, account_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX account_name_account ON account_name (account_id);
        """
}

extension SQLiteMigrations {
    /// Recounts according to ``Visibility``: direct statuses are not counted, and replies are counted only if everyone
    /// may see them. Rows of an unfinished import are counted when the import is published.
    static func countSchema(_ db: GRDB.Database) throws { try db.execute(sql: recount) }

    private static let recount = """
        UPDATE account SET
            statuses_count = (
                SELECT count(*) FROM status s WHERE s.account_id = account.id AND s.visibility < 3
                AND s.import_id NOT IN (SELECT id FROM staged_import)),
            last_status_at = (
                SELECT max(s.created_at) FROM status s
                WHERE s.account_id = account.id AND s.visibility < 3 AND s.boost_of_id IS NULL
                AND s.import_id NOT IN (SELECT id FROM staged_import));

        UPDATE status SET replies_count = (
            SELECT count(*) FROM status s WHERE s.in_reply_to_id = status.id AND s.visibility <= 1
            AND s.import_id NOT IN (SELECT id FROM staged_import))
        WHERE replies_count > 0;
        """
}

extension SQLiteMigrations {
    /// Adds the second status that a change concerns.
    static func relatedStatusSchema(_ db: GRDB.Database) throws {
        try db.execute(sql: "ALTER TABLE change ADD COLUMN related INTEGER")
    }
}
