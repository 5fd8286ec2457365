extension PostgresSchema {
    /// Adds media attachments.
    static let media = """
        CREATE TABLE media (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id BIGINT REFERENCES status ON DELETE SET NULL,
            key TEXT COLLATE "C" NOT NULL UNIQUE,
            format TEXT COLLATE "C",
            blob TEXT COLLATE "C",
            size BIGINT NOT NULL DEFAULT 0,
            width BIGINT,
            height BIGINT,
            milliseconds BIGINT,
            blurhash TEXT COLLATE "C",
            thumbnail TEXT COLLATE "C",
            thumbnail_format TEXT COLLATE "C",
            thumbnail_size BIGINT NOT NULL DEFAULT 0,
            thumbnail_width BIGINT,
            thumbnail_height BIGINT,
            description TEXT COLLATE "C",
            focus_x BIGINT,
            focus_y BIGINT,
            failure TEXT COLLATE "C",
            created_at BIGINT NOT NULL,
            expires_at BIGINT
        );
        CREATE INDEX media_account ON media (account_id, id);
        CREATE INDEX media_status ON media (status_id) WHERE status_id IS NOT NULL;
        CREATE INDEX media_expires ON media (expires_at) WHERE status_id IS NULL;
        CREATE INDEX media_blob ON media (blob) WHERE blob IS NOT NULL;
        CREATE INDEX media_thumbnail ON media (thumbnail) WHERE thumbnail IS NOT NULL;
        ALTER TABLE status ADD COLUMN media_ids TEXT COLLATE "C" NOT NULL DEFAULT '';
        CREATE INDEX status_public_media ON status (visibility, id) WHERE boost_of_id IS NULL AND media_ids <> '';
        CREATE INDEX status_account_media ON status (account_id, id) WHERE media_ids <> '';
        ALTER TABLE status_edit ADD COLUMN media TEXT COLLATE "C" NOT NULL DEFAULT '[]';
        CREATE INDEX account_header ON account (header) WHERE header IS NOT NULL;
        """
}
