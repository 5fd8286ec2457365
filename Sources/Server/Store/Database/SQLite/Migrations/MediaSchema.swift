import GRDB

extension Migrations {
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
