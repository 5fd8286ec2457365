import GRDB

extension Migrations {
    /// Adds the blobs that are no longer referenced and not yet collected, and the web sites of applications.
    static func replacedBlobSchema(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE replaced_blob (
                    id INTEGER PRIMARY KEY,
                    blob TEXT NOT NULL,
                    account_id INTEGER,  -- whose quota counts it
                    size INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX replaced_blob_account ON replaced_blob (account_id);
                -- The website of the application a status was posted with.
                ALTER TABLE status ADD COLUMN source_website TEXT;
                CREATE INDEX idempotency_created ON idempotency (created_at);
                CREATE INDEX account_avatar ON account (avatar) WHERE avatar IS NOT NULL;
                """)
    }
}
