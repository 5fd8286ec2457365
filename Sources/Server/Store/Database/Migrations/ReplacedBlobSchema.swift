import GRDB

extension Migrations {
    /// Blobs nothing refers to any more, which still take space until they are collected.
    static func replacedBlobSchema(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE replaced_blob (
                    id INTEGER PRIMARY KEY,
                    blob TEXT NOT NULL,
                    account_id INTEGER,  -- whose quota counts it
                    size INTEGER NOT NULL
                );
                CREATE INDEX replaced_blob_account ON replaced_blob (account_id);
                CREATE INDEX account_avatar ON account (avatar) WHERE avatar IS NOT NULL;
                """)
    }
}
