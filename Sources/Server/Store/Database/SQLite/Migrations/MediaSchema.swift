import GRDB

extension SQLiteMigrations {
    /// Adds media attachments.
    static func mediaSchema(_ db: GRDB.Database) throws { try db.execute(sql: media) }

    private static let media = """
        CREATE TABLE media (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id INTEGER REFERENCES status ON DELETE SET NULL,
            key TEXT NOT NULL UNIQUE,
            -- Without a format, the upload is being processed, or has failed.
            format TEXT,
            blob TEXT,
            size INTEGER NOT NULL DEFAULT 0,
            width INTEGER,
            height INTEGER,
            milliseconds INTEGER,
            blurhash TEXT,
            thumbnail TEXT,
            thumbnail_format TEXT,
            thumbnail_size INTEGER NOT NULL DEFAULT 0,
            thumbnail_width INTEGER,
            thumbnail_height INTEGER,
            description TEXT,
            -- In ten-thousandths.
            focus_x INTEGER,
            focus_y INTEGER,
            failure TEXT,
            created_at INTEGER NOT NULL,
            -- When it is deleted unless it belongs to a status by then.
            expires_at INTEGER
        ) STRICT;
        CREATE INDEX media_account ON media (account_id, id);
        CREATE INDEX media_status ON media (status_id) WHERE status_id IS NOT NULL;
        CREATE INDEX media_expires ON media (expires_at) WHERE status_id IS NULL;
        CREATE INDEX media_blob ON media (blob) WHERE blob IS NOT NULL;
        CREATE INDEX media_thumbnail ON media (thumbnail) WHERE thumbnail IS NOT NULL;

        -- "id id": the attached files in their order.
        ALTER TABLE status ADD COLUMN media_ids TEXT NOT NULL DEFAULT '';
        CREATE INDEX status_public_media ON status (visibility, id) WHERE boost_of_id IS NULL AND media_ids <> '';
        CREATE INDEX status_account_media ON status (account_id, id) WHERE media_ids <> '';

        -- JSON: the ids and descriptions of the attached files of a former version.
        ALTER TABLE status_edit ADD COLUMN media TEXT NOT NULL DEFAULT '[]';
        CREATE INDEX account_header ON account (header) WHERE header IS NOT NULL;
        """
}

extension SQLiteMigrations {
    /// Stores the series of numbered file names, so that the next free number takes one index seek.
    static func fileSeriesSchema(_ db: GRDB.Database) throws { try db.execute(sql: fileSeries) }

    private static let fileSeries = """
        -- Set only if the server chose the name because the requested one was taken.
        ALTER TABLE file ADD COLUMN series TEXT;
        ALTER TABLE file ADD COLUMN number INTEGER;
        CREATE INDEX file_series ON file (series, number) WHERE series IS NOT NULL;
        """
}

extension SQLiteMigrations {
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

extension SQLiteMigrations {
    /// Adds still images of avatars and headers.
    static func stillPictureSchema(_ db: GRDB.Database) throws { try db.execute(sql: stillPictures) }

    private static let stillPictures = """
        -- The picture itself unless it is animated. NULL until the server has found out whether it is.
        ALTER TABLE account ADD COLUMN avatar_static TEXT;
        ALTER TABLE account ADD COLUMN header_static TEXT;
        CREATE INDEX account_avatar_static ON account (avatar_static) WHERE avatar_static IS NOT NULL;
        CREATE INDEX account_header_static ON account (header_static) WHERE header_static IS NOT NULL;
        -- For AccountStore.withoutStill, which is why the conditions are the same.
        CREATE INDEX account_without_still ON account (id)
            WHERE (avatar IS NOT NULL AND avatar_static IS NULL) OR (header IS NOT NULL AND header_static IS NULL);
        """
}
