import GRDB

extension Migrations {
    /// Stores the conversation of each reply, which therefore stays the same when other statuses of it are deleted.
    static func conversationSchema(_ db: GRDB.Database) throws { try db.execute(sql: conversations) }

    private static let conversations = """
        -- The first status of the conversation, which may be deleted; NULL for the first status itself.
        ALTER TABLE status ADD COLUMN conversation_id INTEGER;
        WITH RECURSIVE tree(id, first) AS (
            SELECT id, id FROM status WHERE in_reply_to_id IS NULL AND boost_of_id IS NULL
            UNION ALL SELECT s.id, tree.first FROM tree JOIN status s ON s.in_reply_to_id = tree.id
        )
        UPDATE status SET conversation_id = tree.first FROM tree WHERE tree.id = status.id AND tree.first <> tree.id;
        CREATE INDEX status_conversation ON status (conversation_id) WHERE conversation_id IS NOT NULL;

        ALTER TABLE conversation_mute RENAME TO old_conversation_mute;
        CREATE TABLE conversation_mute (
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            conversation_id INTEGER NOT NULL,
            -- By which one the account muted it, so one it has seen; 0 where that is not known.
            status_id INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (account_id, conversation_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX conversation_mute_conversation ON conversation_mute (conversation_id);
        INSERT OR IGNORE INTO conversation_mute (account_id, conversation_id)
            SELECT m.account_id, ifnull(s.conversation_id, s.id)
            FROM old_conversation_mute m JOIN status s ON s.id = m.status_id;
        DROP TABLE old_conversation_mute;
        """
}
