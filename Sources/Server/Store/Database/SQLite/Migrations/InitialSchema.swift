import Foundation
import GRDB

// Times are milliseconds since 1970; ids are milliseconds << 16 plus a counter. A row whose `import_id` is in
// `staged_import` belongs to an unfinished import: no query returns it.
extension SQLiteMigrations {
    static func firstSchema(_ db: GRDB.Database) throws {
        try db.execute(sql: "PRAGMA application_id = \(SQLiteDatabase.applicationID)")
        try db.execute(sql: tables)
        try db.execute(
            sql: "INSERT INTO meta (key, value) VALUES ('epoch', ?)", arguments: [UUID().uuidString.lowercased()])
    }

    private static let tables = """
        CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

        -- The last assigned id, in one row.
        CREATE TABLE sequence (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL) STRICT;
        INSERT INTO sequence VALUES (1, 0);

        CREATE TABLE staged_import (id INTEGER PRIMARY KEY, started_at INTEGER NOT NULL) STRICT;

        CREATE TABLE account (
            id INTEGER PRIMARY KEY,
            username TEXT NOT NULL,
            username_key TEXT NOT NULL UNIQUE,
            display_name TEXT NOT NULL DEFAULT '',
            city TEXT NOT NULL DEFAULT '',
            email TEXT NOT NULL DEFAULT '',
            note TEXT NOT NULL DEFAULT '',
            note_html TEXT NOT NULL DEFAULT '',
            role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member')),
            password TEXT,
            avatar TEXT,
            created_at INTEGER NOT NULL,
            last_status_at INTEGER,
            suspended_at INTEGER,
            statuses_count INTEGER NOT NULL DEFAULT 0,
            followers_count INTEGER NOT NULL DEFAULT 0,
            following_count INTEGER NOT NULL DEFAULT 0,
            import_id INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE follow (
            follower_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            followee_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            import_id INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (follower_id, followee_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX follow_followee ON follow (followee_id, follower_id);

        CREATE TABLE status (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            edited_at INTEGER,
            visibility INTEGER NOT NULL CHECK (visibility BETWEEN 0 AND 3),
            language TEXT,
            source TEXT NOT NULL DEFAULT '',
            text TEXT NOT NULL,
            content TEXT NOT NULL,
            spoiler_text TEXT NOT NULL DEFAULT '',
            sensitive INTEGER NOT NULL DEFAULT 0,
            in_reply_to_id INTEGER REFERENCES status ON DELETE SET NULL,
            in_reply_to_account_id INTEGER,
            boost_of_id INTEGER REFERENCES status ON DELETE CASCADE,
            replies_count INTEGER NOT NULL DEFAULT 0,
            reblogs_count INTEGER NOT NULL DEFAULT 0,
            favourites_count INTEGER NOT NULL DEFAULT 0,
            -- "id:username id:username" and "tag tag": what one page needs without another query.
            mentions TEXT NOT NULL DEFAULT '',
            tags TEXT NOT NULL DEFAULT '',
            import_id INTEGER NOT NULL DEFAULT 0,
            -- Tells an imported status again when its file is imported once more.
            import_key BLOB
        ) STRICT;
        CREATE INDEX status_public ON status (id) WHERE visibility = 0 AND boost_of_id IS NULL;
        CREATE INDEX status_account ON status (account_id, id);
        CREATE INDEX status_reply ON status (in_reply_to_id, id) WHERE in_reply_to_id IS NOT NULL;
        CREATE INDEX status_boost ON status (boost_of_id, account_id) WHERE boost_of_id IS NOT NULL;
        CREATE UNIQUE INDEX status_import_key ON status (import_key) WHERE import_key IS NOT NULL;

        -- Idempotency keys of statuses, kept for a day.
        CREATE TABLE idempotency (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            key TEXT NOT NULL,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_status ON idempotency (status_id);

        CREATE TABLE mention (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            PRIMARY KEY (account_id, status_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mention_status ON mention (status_id);

        CREATE TABLE status_tag (
            tag TEXT NOT NULL,
            status_id INTEGER NOT NULL REFERENCES status ON DELETE CASCADE,
            PRIMARY KEY (tag, status_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX status_tag_status ON status_tag (status_id);

        CREATE TABLE application (
            id INTEGER PRIMARY KEY,
            client_id TEXT NOT NULL UNIQUE,
            secret_hash BLOB NOT NULL,
            name TEXT NOT NULL,
            website TEXT,
            redirect_uris TEXT NOT NULL,
            scopes TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;

        -- Without an account it is an application's own token.
        CREATE TABLE token (
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,
            account_id INTEGER REFERENCES account ON DELETE CASCADE,
            application_id INTEGER REFERENCES application ON DELETE CASCADE,
            scopes TEXT NOT NULL,
            application TEXT NOT NULL DEFAULT '',
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX token_account ON token (account_id);

        CREATE TABLE file (
            name TEXT NOT NULL PRIMARY KEY,
            account_id INTEGER REFERENCES account ON DELETE SET NULL,
            blob TEXT NOT NULL,
            size INTEGER NOT NULL,
            type TEXT NOT NULL,
            modified_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX file_account ON file (account_id, name);
        CREATE INDEX file_blob ON file (blob);

        CREATE TABLE change (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            subject INTEGER,
            account INTEGER,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX change_at ON change (at);
        """
}
