import GRDB

extension Migrations {
    /// Adds lists, followed hashtags, and the hashtags of statuses in the change log.
    static func listSchema(_ db: GRDB.Database) throws { try db.execute(sql: lists) }

    private static let lists = """
        CREATE TABLE list (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            title TEXT NOT NULL,
            replies_policy TEXT NOT NULL,
            -- Whether the home timeline leaves out the members.
            exclusive INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX list_account ON list (account_id, id);

        CREATE TABLE list_member (
            list_id INTEGER NOT NULL REFERENCES list ON DELETE CASCADE,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            -- The account of the list, which never changes.
            owner_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            PRIMARY KEY (list_id, account_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX list_member_owner ON list_member (owner_id, account_id, list_id);
        CREATE INDEX list_member_account ON list_member (account_id);

        CREATE TABLE tag_follow (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            -- In lowercase.
            tag TEXT NOT NULL,
            id INTEGER NOT NULL,
            PRIMARY KEY (account_id, tag)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tag_follow_id ON tag_follow (account_id, id);

        -- "tag tag": the hashtags of a public status.
        ALTER TABLE change ADD COLUMN tags TEXT NOT NULL DEFAULT '';
        """
}
